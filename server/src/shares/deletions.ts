import { sql, type Kysely } from 'kysely'
import type { Audit } from '../auth/audit.ts'
import type { Clock } from '../kit/clock.ts'
import type { Secrets } from '../kit/secrets.ts'

/** Wallets that are to go. Three days lie between, as at the auth service: neither tells the other. */
export type ShareDeletions = {
  /** @returns when it happens; asked again, the time stays */
  ask(user: string): Promise<number>
  cancel(user: string): Promise<void>
  /** Deletes what is due: first the keys that it is sealed under, so that no backup opens, then the rows. */
  sweep(): Promise<void>
}

const waitMs = 72 * 60 * 60_000

export function createShareDeletions(parts: {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  audit: Audit
}): ShareDeletions {
  const { database, clock, secrets, audit } = parts
  return {
    async ask(user) {
      const { rows } = await sql<{ at: number }>`
        insert into share_deletion (user_id, at) values (${user}, ${clock.now() + waitMs})
        on conflict (user_id) do update set user_id = excluded.user_id returning at`.execute(database)
      await audit.note('deletion asked', { user })
      return rows[0]?.at ?? clock.now() + waitMs
    },
    async cancel(user) {
      await sql`delete from share_deletion where user_id = ${user} and at > ${clock.now()}`.execute(database)
      await audit.note('deletion cancelled', { user })
    },
    async sweep() {
      const { rows } = await sql<{ user: string }>`
        select user_id as user from share_deletion where at <= ${clock.now()} limit 100`.execute(database)
      for (const { user } of rows) {
        await secrets.destroy(user)
        await database.transaction().execute((transaction) => forget(transaction, user))
        await audit.note('deleted', { user })
      }
    },
  }
}

async function forget(transaction: Kysely<unknown>, user: string): Promise<void> {
  await sql`
    delete from share_wrap where wallet_id in (select wallet_id from share_set where user_id = ${user})`.execute(
    transaction,
  )
  for (const table of ['set', 'auto', 'device', 'contact', 'wallet', 'deletion']) {
    await sql`delete from ${sql.table(`share_${table}`)} where user_id = ${user}`.execute(transaction)
  }
}
