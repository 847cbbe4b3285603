import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import { Problem } from '../../kit/http/problem.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import type { TableRow } from '../../schema/tableRow.ts'

/**
 * The contact that approves a user's devices: a mailbox or an identity, as a keyed hash. The first contact is pinned until a
 * device of the user names another one. The auth service alone can name none.
 */
export type Contacts = {
  /** Returns true if this contact approves devices of the user. Pins the contact if the user has none yet. */
  acceptOrPin(user: string, contact: Uint8Array): Promise<boolean>
  /**
   * Names the next contact. It is accepted after a day. For two more days, the stop link and an approval by the previous
   * contact cancel the change, so that an owner whose mailbox was taken over can do so.
   *
   * @param change the contacts before and after the change, and the secret of the stop link
   * @returns the time from which the next contact is accepted, in milliseconds since the epoch
   * @throws Problem 409 `contact` if another change waits or was stopped within a day, or if the contact is another one
   */
  change(user: string, change: { from: Uint8Array; to: Uint8Array; secret: string }): Promise<number>
  /** True if this contact approves the user's devices, and a change may be requested. */
  canChange(user: string, from: Uint8Array): Promise<boolean>
  /** Cancels a change whose notice could not be sent to the owner. Idempotent. */
  cancel(user: string): Promise<void>
  /** True if the link can still stop a change. */
  canStop(link: { id: string; secret: string }): Promise<boolean>
  /** Stops a change, and refuses others for a day. @returns false if the link can no longer stop a change */
  stop(link: { id: string; secret: string }): Promise<boolean>
}

const waitMs = 24 * 60 * 60_000
const disputeMs = 72 * 60 * 60_000

type ContactRow = Pick<TableRow<'share_contact'>, 'mailbox' | 'next' | 'asked_at'>

/** Creates the contacts of the share store. */
export function createContacts({ database, clock }: { database: Kysely<unknown>; clock: Clock }): Contacts {
  return {
    async acceptOrPin(user, contact) {
      const row = (await findContact(database, user)) ?? (await pinContact(database, user, contact))
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
    async change(user, { from, to, secret }) {
      const now = clock.now()
      const { rows } = await sql`
        update share_contact set
          mailbox = ${Buffer.from(from)}, next = ${Buffer.from(to)}, asked_at = ${now}, secret = ${sha256(secret)}
        where user_id = ${user} and ${isChangeable(from, now)} returning user_id`.execute(database)
      if (rows.length === 0) {
        throw new Problem(
          409,
          'contact',
          'The address that approves devices can’t be changed now. Try again after three days.',
        )
      }
      return now + waitMs
    },
    async canChange(user, from) {
      const { rows } = await sql`
        select from share_contact where user_id = ${user} and ${isChangeable(from, clock.now())}`.execute(database)
      return rows.length > 0
    },
    async cancel(user) {
      await sql`
        update share_contact set next = null, asked_at = null, secret = null where user_id = ${user}`.execute(database)
    },
    async canStop({ id, secret }) {
      const { rows } = await sql`
        select from share_contact where user_id = ${id} and ${isStoppable(secret, clock.now())}`.execute(database)
      return rows.length > 0
    },
    async stop({ id, secret }) {
      const now = clock.now()
      const { rows } = await sql`
        update share_contact set next = null, asked_at = null, secret = null, stopped_at = ${now}
        where user_id = ${id} and ${isStoppable(secret, now)} returning user_id`.execute(database)
      return rows.length > 0
    },
  }
}

async function findContact(database: Kysely<unknown>, user: string): Promise<ContactRow | undefined> {
  const { rows } = await sql<ContactRow>`
    select mailbox, next, asked_at from share_contact where user_id = ${user}`.execute(database)
  return rows[0]
}

/** Two concurrent first requests pin one contact, and both return it. */
async function pinContact(
  database: Kysely<unknown>,
  user: string,
  contact: Uint8Array,
): Promise<ContactRow | undefined> {
  await sql`
    insert into share_contact (user_id, mailbox) values (${user}, ${Buffer.from(contact)})
    on conflict (user_id) do nothing`.execute(database)
  return findContact(database, user)
}

/** The condition on `share_contact` that a contact approves the devices of its user now, or can still take a change back. */
export function isAcceptedContact(contact: RawBuilder<unknown>, now: number): RawBuilder<unknown> {
  return sql`(share_contact.mailbox = ${contact} and (next is null or asked_at > ${now - disputeMs})
    or next = ${contact} and asked_at <= ${now - waitMs})`
}

/** A change that waits or can be disputed is not replaced: its notice would lose its effect. A stopped one pauses others. */
function isChangeable(from: Uint8Array, now: number) {
  const contact = Buffer.from(from)
  return sql`(next is null and mailbox = ${contact} or asked_at <= ${now - disputeMs} and next = ${contact})
    and (stopped_at is null or stopped_at <= ${now - waitMs})`
}

function isStoppable(secret: string, now: number) {
  return sql`secret = ${sha256(secret)} and next is not null and asked_at > ${now - disputeMs}`
}
