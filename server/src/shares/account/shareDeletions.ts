import { sql, type Kysely } from 'kysely'
import type { AuditLog } from '../../custody/auditLog.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import { approvalTables, userTables } from './userTables.ts'

/** Scheduled deletions of wallets, after three days. The auth service has its own; neither service acts on the other's word. */
export type ShareDeletions = {
  /** @returns the time of the deletion, in milliseconds since the epoch; it stays if it was already scheduled */
  schedule(user: string): Promise<number>
  /** Idempotent. */
  cancel(user: string): Promise<void>
  /** Deletes the wallets that are due: first the data keys, so that no backup can be opened, then the rows. */
  sweep(): Promise<void>
}

const delayMs = 72 * 60 * 60_000

export type ShareDeletionsDependencies = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  auditLog: Pick<AuditLog, 'record'>
}

/** Creates the deletions of the share store. */
export function createShareDeletions({
  database,
  clock,
  secrets,
  auditLog,
}: ShareDeletionsDependencies): ShareDeletions {
  return {
    async schedule(user) {
      const { rows } = await sql<{ at: number }>`
        insert into share_deletion (user_id, at) values (${user}, ${clock.now() + delayMs})
        on conflict (user_id) do update set user_id = excluded.user_id returning at`.execute(database)
      await auditLog.record('deletion requested', { user })
      return rows[0]?.at ?? clock.now() + delayMs
    },
    async cancel(user) {
      await sql`delete from share_deletion where user_id = ${user} and at > ${clock.now()}`.execute(database)
      await auditLog.record('deletion cancelled', { user })
    },
    async sweep() {
      const { rows } = await sql<{ user: string }>`
        select user_id as user from share_deletion where at <= ${clock.now()} limit 100`.execute(database)
      for (const { user } of rows) {
        await secrets.destroy(user)
        await database.transaction().execute((transaction) => deleteUserRows(transaction, user))
        await auditLog.record('deleted', { user })
      }
    },
  }
}

async function deleteUserRows(transaction: Kysely<unknown>, user: string): Promise<void> {
  for (const table of [...userTables, ...approvalTables]) {
    await sql`delete from ${sql.table(table)} where user_id = ${user}`.execute(transaction)
  }
}
