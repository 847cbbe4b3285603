import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { TableRow } from '../../schema/tableRow.ts'

/**
 * The contact that approves a user's devices: a mailbox or an identity, as a keyed hash. The first contact is pinned until a
 * device of the user names another one. The auth service alone can name none.
 */
export type Contacts = {
  /** Returns true if this contact approves devices of the user. Pins the contact if the user has none yet. */
  acceptOrPin(user: string, contact: Uint8Array): Promise<boolean>
  /**
   * Names the next contact. It is accepted after a day. For two more days, an approval by the previous contact cancels the
   * change, so that an owner whose mailbox was taken over can do so.
   *
   * @returns the time from which the next contact is accepted, in milliseconds since the epoch
   * @throws Problem 404 `user` if no contact is pinned yet
   */
  change(user: string, contact: Uint8Array): Promise<number>
}

const waitMs = 24 * 60 * 60_000
const disputeMs = 72 * 60 * 60_000

type ContactRow = Pick<TableRow<'share_contact'>, 'mailbox' | 'next' | 'asked_at'>

/** Creates the contacts of the share store. */
export function createContacts({ database, clock }: { database: Kysely<unknown>; clock: Clock }): Contacts {
  return {
    async acceptOrPin(user, contact) {
      await sql`
        insert into share_contact (user_id, mailbox) values (${user}, ${Buffer.from(contact)})
        on conflict (user_id) do nothing`.execute(database)
      const { rows } = await sql<ContactRow>`
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
      if (rows.length === 0) throw new Problem(404, 'user', 'This user has no contact that approves devices yet.')
      return now + waitMs
    },
  }
}
