import { createHmac } from 'node:crypto'
import type { JWTVerifyGetKey } from 'jose'
import { sql, type Kysely } from 'kysely'
import type { FarcasterCheck } from '../auth/farcaster/check.ts'
import { nonceOf, verifyIdToken } from '../auth/social/idToken.ts'
import { createMetadata, type Metadata } from '../auth/social/metadata.ts'
import { signsTokens, tokenNames, type SocialName, type Socials, type TokenName } from '../auth/social/providers.ts'
import { createRemoteKeys } from '../auth/remoteKeys.ts'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import type { Links } from './links.ts'

/** Whose device asks, and how its user logged in. */
export type IdentityOwner = { readonly user: string; readonly key: string; readonly methods: readonly string[] }

/**
 * Devices approved by who their user is elsewhere. What a provider signed, or a person's own key, is checked here again: the
 * login service alone can approve none. Each proof is for the key of one frame, whose random bytes are in its nonce.
 */
export type Identities = {
  /**
   * Takes the ID token of a provider.
   *
   * @throws Problem 400 `provider`, 401 `identity`
   */
  byToken(owner: IdentityOwner, proof: { provider: TokenName; token: string; random: Uint8Array }): Promise<void>
  /**
   * Takes what a Farcaster account signed.
   *
   * @throws Problem 400 `provider`, 401 `identity`, 503 `chain`
   */
  byFarcaster(owner: IdentityOwner, proof: { message: string; signature: string; random: Uint8Array }): Promise<void>
  /**
   * Lets the first device of a user make his wallet, where the provider signs nothing that could be checked here. The
   * address that it tells approves all later ones.
   *
   * @throws Problem 400 `email`; 403 `device` when there is a wallet already, or the login was another one
   */
  first(owner: IdentityOwner, email: string): Promise<void>
  /** What approved this device within the last fifteen minutes, as a keyed hash. */
  approvedBy(user: string, key: string): Promise<Buffer | undefined>
  /** A device that was taken away has to be approved anew. */
  withdraw(user: string, key: string): Promise<void>
  sweep(): Promise<void>
}

const lifetime = 15 * 60_000

export type IdentitiesParts = {
  database: Kysely<unknown>
  clock: Clock
  pepper: Uint8Array
  links: Pick<Links, 'mailboxOf'>
  /** The providers that are set up; secrets are not needed. */
  socials: Socials
  /** Undefined where there is no login by Farcaster. */
  farcaster: FarcasterCheck | undefined
}

type Issuer = { clientId: string; metadata: Metadata; keys: JWTVerifyGetKey }

export function createIdentities({ database, clock, pepper, links, socials, farcaster }: IdentitiesParts): Identities {
  const issuers = new Map(tokenNames.flatMap((name) => issuerOf(name)))

  function issuerOf(name: TokenName): readonly (readonly [TokenName, Issuer])[] {
    const settings = socials[name]
    if (settings === undefined) return []
    const metadata = createMetadata(name, settings, clock)
    const keys = createRemoteKeys(async () => (await metadata()).jwks_uri, clock)
    return [[name, { clientId: settings.clientId, metadata, keys }]]
  }

  async function approve({ user, key }: IdentityOwner, contact: Buffer): Promise<void> {
    const now = clock.now()
    await sql`
      insert into share_identity (user_id, key_thumbprint, contact, approved_at)
      values (${user}, ${key}, ${contact}, ${now})
      on conflict (user_id, key_thumbprint)
      do update set contact = excluded.contact, approved_at = excluded.approved_at`.execute(database)
  }
  const contactOf = (provider: string, subject: string): Buffer =>
    createHmac('sha256', pepper).update(`identity\0${provider}\0${subject}`).digest()

  async function isNew(user: string): Promise<boolean> {
    const { rows } = await sql`
      select from share_contact where user_id = ${user} union all select from share_wallet where user_id = ${user}
      limit 1`.execute(database)
    return rows.length === 0
  }

  return {
    async byToken(owner, { provider, token, random }) {
      const issuer = issuers.get(provider)
      if (issuer === undefined) throw notSetUp()
      const nonce = nonceOf(owner.key, random).toString('base64url')
      const { clientId, keys, metadata } = issuer
      const checked = await checkedBy(async () =>
        verifyIdToken(token, { issuer: (await metadata()).issuer, clientId, nonce, keys, clock }),
      )
      await approve(owner, contactOf(provider, checked.subject))
    },
    async byFarcaster(owner, { message, signature, random }) {
      if (farcaster === undefined) throw notSetUp()
      const nonce = nonceOf(owner.key, random).toString('hex')
      const { fid } = await farcaster({ message, signature, nonce })
      await approve(owner, contactOf('farcaster', String(fid)))
    },
    async first(owner, email) {
      const contact = links.mailboxOf(email)
      if (!owner.methods.some(signsNothing) || !(await isNew(owner.user))) {
        throw new Problem(403, 'device', 'This device has not been approved. Ask for a link by mail first.')
      }
      await approve(owner, contact)
    },
    async approvedBy(user, key) {
      const { rows } = await sql<{ contact: Buffer }>`
        select contact from share_identity
        where user_id = ${user} and key_thumbprint = ${key} and approved_at > ${clock.now() - lifetime}`.execute(
        database,
      )
      return rows[0]?.contact
    },
    async withdraw(user, key) {
      await sql`delete from share_identity where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
    },
    async sweep() {
      await sql`delete from share_identity where approved_at <= ${clock.now() - lifetime}`.execute(database)
    },
  }
}

const others: readonly SocialName[] = ['github', 'x', 'discord']
const signsNothing = (method: string): boolean => others.some((name) => name === method && !signsTokens(name))

async function checkedBy<found>(check: () => Promise<found>): Promise<found> {
  try {
    return await check()
  } catch (cause) {
    throw new Problem(401, 'identity', 'This does not prove who you are. Log in again.', { cause })
  }
}

function notSetUp(): Problem {
  return new Problem(400, 'provider', 'This login is not set up here.')
}
