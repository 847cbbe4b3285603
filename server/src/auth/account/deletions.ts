import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { AuditLog } from '../../custody/auditLog.ts'
import { isUuid } from '../../custody/isUuid.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import type { DeletionRequest } from './deletionReminders.ts'

/** The id and the secret of a link in a mail. */
export type LinkSecret = { id: string; secret: string }

/**
 * Scheduled deletions of accounts. The time until then protects an owner who did not request it: three days if the wallet was
 * open on the device that requested it, and thirty otherwise. The thief of a mailbox can prove a login, but not the wallet.
 */
export type Deletions = {
  /**
   * @param request if it came with a proof, and its source, which a second notice names
   * @returns the time of the deletion and the secret of the cancellation link; a repeated request never makes it later
   */
  schedule(
    user: string,
    request: { isProven: boolean; source?: DeletionRequest },
  ): Promise<{ at: number; secret: string }>
  /** Returns the time of the user's deletion, in milliseconds since the epoch, if one is scheduled. */
  scheduledAt(user: string): Promise<number | undefined>
  /** Idempotent. */
  cancel(user: string): Promise<void>
  /**
   * Cancels a deletion that was requested without a proof of the wallet, because a device of the wallet uses it. Idempotent.
   */
  cancelUnproven(user: string): Promise<void>
  /** True if a link belongs to a deletion that can still be cancelled. */
  canCancel(link: LinkSecret): Promise<boolean>
  /** @returns false if there is nothing left to cancel */
  cancelByLink(link: LinkSecret): Promise<boolean>
  /** Deletes the users that are due: first the data keys, so that no backup can be opened, then the rows. [K-13] */
  sweep(): Promise<void>
}

const dayMs = 24 * 60 * 60_000
const provenDelayMs = 3 * dayMs
const unprovenDelayMs = 30 * dayMs

export type DeletionsDependencies = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  auditLog: Pick<AuditLog, 'record'>
}

/** Creates the deletions of the auth service. */
export function createDeletions({ database, clock, secrets, auditLog }: DeletionsDependencies): Deletions {
  async function cancel(user: string, isProven = true): Promise<boolean> {
    const { rows } = await sql`
      delete from auth_deletion where user_id = ${user} and at > ${clock.now()} and (${isProven} or not proven)
      returning user_id`.execute(database)
    if (rows.length > 0) await auditLog.record('deletion cancelled', { user })
    return rows.length > 0
  }
  async function canCancel({ id, secret }: LinkSecret): Promise<boolean> {
    if (!isUuid(id)) return false
    const { rows } = await sql`
      select from auth_deletion
      where user_id = ${id} and ${sha256(secret)} in (secret, reminder) and at > ${clock.now()}`.execute(database)
    return rows.length > 0
  }

  return {
    async schedule(user, { isProven, source }) {
      const secret = randomBytes(32).toString('base64url')
      const at = clock.now() + (isProven ? provenDelayMs : unprovenDelayMs)
      const { rows } = await sql<{ at: number }>`
        insert into auth_deletion (user_id, secret, at, proven, request)
        values (${user}, ${sha256(secret)}, ${at}, ${isProven}, ${source === undefined ? null : JSON.stringify(source)})
        on conflict (user_id) do update set secret = excluded.secret, at = least(auth_deletion.at, excluded.at),
          proven = auth_deletion.proven or excluded.proven, request = excluded.request
        returning at`.execute(database)
      await auditLog.record('deletion requested', { user })
      return { at: rows[0]?.at ?? at, secret }
    },
    async scheduledAt(user) {
      const { rows } = await sql<{ at: number }>`
        select at from auth_deletion where user_id = ${user}`.execute(database)
      return rows[0]?.at
    },
    cancel: async (user) => void (await cancel(user)),
    cancelUnproven: async (user) => void (await cancel(user, false)),
    canCancel,
    cancelByLink: async (link) => (await canCancel(link)) && cancel(link.id),
    async sweep() {
      const { rows } = await sql<{ user: string }>`
        select user_id as user from auth_deletion where at <= ${clock.now()} limit 100`.execute(database)
      for (const { user } of rows) {
        await secrets.destroy(user)
        await sql`delete from auth_session where user_id = ${user}`.execute(database)
        // All other rows of the user reference this one and are deleted with it.
        await sql`delete from auth_user where id = ${user}`.execute(database)
        await auditLog.record('deleted', { user })
      }
    },
  }
}
