import { sql, type Kysely } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'

/**
 * Who approves a user's devices: a mailbox or an identity, as a keyed hash. The first one that does stays, until a device
 * of the user's own names another; the login service alone can name none.
 */
export type Contacts = {
  /** Whether this contact approves devices of the user. The first who is asked about is it from then on. */
  accepts(user: string, contact: Uint8Array): Promise<boolean>
  /**
   * Notes the next contact. It counts after a day; for two days more an approval by the one before takes everything back,
   * for who lost his mailbox to somebody else must be able to.
   *
   * @returns when it counts
   * @throws Problem 404 `user` when nobody approves this user's devices yet
   */
  change(user: string, contact: Uint8Array): Promise<number>
}

const waitMs = 24 * 60 * 60_000
const disputeMs = 72 * 60 * 60_000

type Row = { mailbox: Buffer; next: Buffer | null; asked_at: number | null }

export function createContacts({ database, clock }: { database: Kysely<unknown>; clock: Clock }): Contacts {
  return {
    async accepts(user, contact) {
      await sql`
        insert into share_contact (user_id, mailbox) values (${user}, ${Buffer.from(contact)})
        on conflict (user_id) do nothing`.execute(database)
      const { rows } = await sql<Row>`
        select mailbox, next, asked_at from share_contact where user_id = ${user}`.execute(database)
      const [row] = rows
      if (row === undefined) return false
      const { mailbox, next, asked_at: askedAt } = row
      if (next === null || askedAt === null) return mailbox.equals(contact)
      const age = clock.now() - askedAt
      if (mailbox.equals(contact) && age < disputeMs) {
        await sql`update share_contact set next = null, asked_at = null where user_id = ${user}`.execute(database)
        return true
      }
      return next.equals(contact) && age >= waitMs
    },
    async change(user, contact) {
      const now = clock.now()
      const { rows } = await sql`
        update share_contact set
          mailbox = case when next is not null and asked_at <= ${now - disputeMs} then next else mailbox end,
          next = ${Buffer.from(contact)}, asked_at = ${now}
        where user_id = ${user} returning user_id`.execute(database)
      if (rows.length === 0) throw new Problem(404, 'user', 'Nobody approves devices of this user yet.')
      return now + waitMs
    },
  }
}
