import { sql, type Kysely } from 'kysely'
import type { FarcasterCheck } from '../../custody/identity/farcasterCheck.ts'
import { computeNonce } from '../../custody/identity/verifyIdToken.ts'
import type { KeyedHash } from '../../custody/keyedHash.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { hashAccount } from './providerLogins.ts'

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
   * Approves a device by a message that a Farcaster account signed. The message is for the key of one frame: its nonce contains
   * random bytes that only this frame knows.
   *
   * @throws Problem 400 `provider`, 401 `identity`, 503 `chain`
   */
  approveByFarcaster(
    device: LoggedInDevice,
    proof: { message: string; signature: string; random: Uint8Array },
  ): Promise<void>
  /** Returns the contact that approved this device within the last fifteen minutes, as a keyed hash. */
  findApproval(user: string, key: string): Promise<Buffer | undefined>
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
  farcaster: FarcasterCheck | undefined
}

/** Creates the identity approvals of the share store. */
export function createIdentityApprovals(dependencies: IdentityApprovalsDependencies): IdentityApprovals {
  const { database, clock, hash, farcaster } = dependencies

  async function approve({ user, key }: LoggedInDevice, contact: Uint8Array): Promise<void> {
    await sql`
      insert into share_identity (user_id, key_thumbprint, contact, approved_at)
      values (${user}, ${key}, ${Buffer.from(contact)}, ${clock.now()})
      on conflict (user_id, key_thumbprint)
      do update set contact = excluded.contact, approved_at = excluded.approved_at`.execute(database)
  }

  return {
    approve,
    async approveByFarcaster(device, { message, signature, random }) {
      if (farcaster === undefined) throw new Problem(400, 'provider', 'This login is not set up here.')
      const nonce = computeNonce(device.key, random).toString('hex')
      const { fid } = await farcaster({ message, signature, nonce })
      await approve(device, hashAccount(hash, 'farcaster', String(fid)))
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
