import { sql, type Kysely } from 'kysely'
import type { FarcasterLogin, FarcasterLogins } from '../../custody/identity/farcasterLogins.ts'
import type { KeyedHash } from '../../custody/keyedHash.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { hashAccount } from './providerLogins.ts'

/** The contact that approved a device, as a keyed hash. */
export type IdentityApproval = { readonly contact: Buffer; readonly needsSecondProof: boolean }

/** The user and key of a logged-in device. */
export type LoggedInDevice = { readonly user: string; readonly key: string }

/**
 * Approvals of devices by the user's account at an identity provider. The share store verifies each account itself, so the auth
 * service alone can approve no device.
 */
export type IdentityApprovals = {
  /** Approves a device by an account that a provider login of the same device has verified. */
  approve(device: LoggedInDevice, contact: Uint8Array): Promise<void>
  /**
   * Approves a device by a message that a Farcaster account signed. Its nonce commits to the key of the device. A user
   * can be tricked into signing it for an attacker's device, so a user with a wallet has to give a second proof, see
   * `DeviceRequests`.
   *
   * @throws Problem 400 `provider`, 401 `identity`, 404 `challenge`, 503 `chain`
   */
  approveByFarcaster(device: LoggedInDevice, login: Omit<FarcasterLogin, 'key'>): Promise<void>
  /** Returns the approval of this device within the last fifteen minutes. */
  findApproval(user: string, key: string): Promise<IdentityApproval | undefined>
  /** Withdraws the approval of a revoked device. Idempotent. */
  revokeApproval(user: string, key: string): Promise<void>
  sweep(): Promise<void>
}

const lifetimeMs = 15 * 60_000

export type IdentityApprovalsDependencies = {
  database: Kysely<unknown>
  clock: Clock
  hash: KeyedHash
  /** Undefined if Farcaster is not configured. */
  farcasterLogins: Pick<FarcasterLogins, 'verify'> | undefined
}

/** Creates the identity approvals of the share store. */
export function createIdentityApprovals(dependencies: IdentityApprovalsDependencies): IdentityApprovals {
  const { database, clock, hash, farcasterLogins } = dependencies

  async function store({ user, key }: LoggedInDevice, approval: IdentityApproval): Promise<void> {
    await sql`
      insert into share_identity (user_id, key_thumbprint, contact, approved_at, needs_second_proof)
      values (${user}, ${key}, ${approval.contact}, ${clock.now()}, ${approval.needsSecondProof})
      on conflict (user_id, key_thumbprint) do update set contact = excluded.contact,
        approved_at = excluded.approved_at, needs_second_proof = excluded.needs_second_proof`.execute(database)
  }

  return {
    approve: (device, contact) => store(device, { contact: Buffer.from(contact), needsSecondProof: false }),
    async approveByFarcaster(device, login) {
      if (farcasterLogins === undefined) throw new Problem(400, 'provider', 'This login is not set up here.')
      const { fid } = await farcasterLogins.verify({ ...login, key: device.key })
      const contact = hashAccount(hash, 'farcaster', String(fid))
      await store(device, { contact, needsSecondProof: true })
    },
    async findApproval(user, key) {
      const { rows } = await sql<IdentityApproval>`
        select contact, needs_second_proof as "needsSecondProof" from share_identity
        where user_id = ${user} and key_thumbprint = ${key} and approved_at > ${clock.now() - lifetimeMs}`.execute(
        database,
      )
      return rows[0]
    },
    async revokeApproval(user, key) {
      await sql`delete from share_identity where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
    },
    async sweep() {
      await sql`delete from share_identity where approved_at <= ${clock.now() - lifetimeMs}`.execute(database)
    },
  }
}
