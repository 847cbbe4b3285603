import type { JWTVerifyGetKey } from 'jose'
import { sql, type Kysely } from 'kysely'
import type { FarcasterCheck } from '../../custody/identity/farcasterCheck.ts'
import { createProviderMetadata, type ProviderMetadata } from '../../custody/identity/providerMetadata.ts'
import {
  isOidcProvider,
  oidcProviders,
  type OidcProvider,
  type SocialProvider,
  type Socials,
} from '../../custody/identity/socialProviders.ts'
import { computeNonce, verifyIdToken } from '../../custody/identity/verifyIdToken.ts'
import { createKeyedHash } from '../../custody/keyedHash.ts'
import { createRemoteKeySet } from '../../custody/requests/remoteKeySet.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { ApprovalLinks } from './approvalLinks.ts'

/** The user and key of a logged-in device, and the authentication methods of its login. */
export type LoggedInDevice = { readonly user: string; readonly key: string; readonly methods: readonly string[] }

/**
 * Approvals of devices by the user's account at an identity provider. The share store verifies the provider's signature
 * itself, so the auth service alone can approve no device. Each proof is for the key of one frame: its nonce contains random
 * bytes that only this frame knows.
 */
export type IdentityApprovals = {
  /**
   * Approves a device by an ID token.
   *
   * @throws Problem 400 `provider`, 401 `identity`
   */
  approveByIdToken(
    device: LoggedInDevice,
    proof: { provider: OidcProvider; token: string; random: Uint8Array },
  ): Promise<void>
  /**
   * Approves a device by a message that a Farcaster account signed.
   *
   * @throws Problem 400 `provider`, 401 `identity`, 503 `chain`
   */
  approveByFarcaster(
    device: LoggedInDevice,
    proof: { message: string; signature: string; random: Uint8Array },
  ): Promise<void>
  /**
   * Approves the first device of a user whose provider signs nothing that could be verified here. The given address approves
   * all later devices.
   *
   * @throws Problem 400 `email`; 403 `device` if there is a wallet already, or the login used another method
   */
  approveFirstDevice(device: LoggedInDevice, email: string): Promise<void>
  /** Returns the contact that approved this device within the last fifteen minutes, as a keyed hash. */
  findApproval(user: string, key: string): Promise<Buffer | undefined>
  /** Withdraws the approval of a revoked device. Idempotent. */
  revokeApproval(user: string, key: string): Promise<void>
  sweep(): Promise<void>
}

const lifetimeMs = 15 * 60_000
const providersWithoutIdToken: readonly SocialProvider[] = ['github', 'x', 'discord']

export type IdentityApprovalsDependencies = {
  database: Kysely<unknown>
  clock: Clock
  pepper: Uint8Array
  links: Pick<ApprovalLinks, 'hashMailbox'>
  /** The configured providers. Their client secrets are not needed. */
  socials: Socials
  /** Undefined if Farcaster is not configured. */
  farcaster: FarcasterCheck | undefined
}

type Issuer = { clientId: string; metadata: ProviderMetadata; keys: JWTVerifyGetKey }

/** Creates the identity approvals of the share store. */
export function createIdentityApprovals(dependencies: IdentityApprovalsDependencies): IdentityApprovals {
  const { database, clock, pepper, links, farcaster } = dependencies
  const issuers = createIssuers(dependencies)
  const hash = createKeyedHash(pepper)
  const hashAccount = (provider: string, subject: string): Buffer => hash('identity', `${provider}\0${subject}`)

  async function approve({ user, key }: LoggedInDevice, contact: Buffer): Promise<void> {
    await sql`
      insert into share_identity (user_id, key_thumbprint, contact, approved_at)
      values (${user}, ${key}, ${contact}, ${clock.now()})
      on conflict (user_id, key_thumbprint)
      do update set contact = excluded.contact, approved_at = excluded.approved_at`.execute(database)
  }

  return {
    async approveByIdToken(device, { provider, token, random }) {
      const issuer = issuers.get(provider)
      if (issuer === undefined) throw providerNotConfigured()
      const nonce = computeNonce(device.key, random).toString('base64url')
      const subject = await verifySubject(token, { issuer, nonce, clock })
      await approve(device, hashAccount(provider, subject))
    },
    async approveByFarcaster(device, { message, signature, random }) {
      if (farcaster === undefined) throw providerNotConfigured()
      const nonce = computeNonce(device.key, random).toString('hex')
      const { fid } = await farcaster({ message, signature, nonce })
      await approve(device, hashAccount('farcaster', String(fid)))
    },
    async approveFirstDevice(device, email) {
      const contact = links.hashMailbox(email)
      if (!device.methods.some(isUnverifiableMethod) || !(await isNewUser(database, device.user))) {
        throw new Problem(403, 'device', 'This device has not been approved. Ask for a link by mail first.')
      }
      await approve(device, contact)
    },
    async findApproval(user, key) {
      const { rows } = await sql<{ contact: Buffer }>`
        select contact from share_identity
        where user_id = ${user} and key_thumbprint = ${key} and approved_at > ${clock.now() - lifetimeMs}`.execute(
        database,
      )
      return rows[0]?.contact
    },
    async revokeApproval(user, key) {
      await sql`delete from share_identity where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
    },
    async sweep() {
      await sql`delete from share_identity where approved_at <= ${clock.now() - lifetimeMs}`.execute(database)
    },
  }
}

function createIssuers({ socials, clock }: IdentityApprovalsDependencies): ReadonlyMap<OidcProvider, Issuer> {
  const issuers = new Map<OidcProvider, Issuer>()
  for (const name of oidcProviders) {
    const settings = socials[name]
    if (settings === undefined) continue
    const metadata = createProviderMetadata(name, settings, clock)
    const keys = createRemoteKeySet(async () => (await metadata()).jwks_uri, clock)
    issuers.set(name, { clientId: settings.clientId, metadata, keys })
  }
  return issuers
}

/** @returns the subject of an ID token. @throws Problem 401 `identity`, the same for every fault */
async function verifySubject(
  token: string,
  { issuer: { metadata, clientId, keys }, nonce, clock }: { issuer: Issuer; nonce: string; clock: Clock },
): Promise<string> {
  try {
    const { issuer } = await metadata()
    return (await verifyIdToken(token, { issuer, clientId, nonce, keys, clock })).subject
  } catch (cause) {
    throw new Problem(401, 'identity', 'This login can’t be verified. Log in again.', { cause })
  }
}

/** True if the user has neither a contact nor a wallet here. */
async function isNewUser(database: Kysely<unknown>, user: string): Promise<boolean> {
  const { rows } = await sql`
    select from share_contact where user_id = ${user} union all select from share_wallet where user_id = ${user}
    limit 1`.execute(database)
  return rows.length === 0
}

function isUnverifiableMethod(method: string): boolean {
  return providersWithoutIdToken.some((name) => name === method && !isOidcProvider(name))
}

function providerNotConfigured(): Problem {
  return new Problem(400, 'provider', 'This login is not set up here.')
}
