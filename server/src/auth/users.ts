import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import type { Secrets } from '../kit/secrets.ts'

/** Who has a wallet here. */
export type User = { readonly id: string; readonly email: string | undefined }

/** The users, found by the way in that they used: a mailbox, or an account with an identity provider. */
export type Users = {
  /** The user of a mailbox; a new one when there is none. Its address is kept sealed, for mail to him. */
  byMailbox(mailbox: Uint8Array, email: string): Promise<User>
  find(id: string): Promise<User | undefined>
  /** Whether the user logs in by a mailbox. */
  hasMailbox(id: string): Promise<boolean>
  /** The mailbox that the user logs in by, as a keyed hash, and its address; undefined when it is another way in. */
  mailboxOf(id: string): Promise<{ mailbox: Buffer; email: string } | undefined>
  /**
   * Gives a user another mailbox.
   *
   * @throws Problem 409 `email` when another user has it
   */
  moveTo(id: string, mailbox: Uint8Array, email: string): Promise<void>
  /** Notes that a user logged in with a frame's key. */
  rememberKey(user: string, key: string): Promise<void>
  /** Whether anybody logged in with this key in the last ninety days: it says nothing of whom. */
  isKnownKey(key: string): Promise<boolean>
  /**
   * Whether a device may do what cannot be undone: it made the wallet, or its user logged in with it a day ago for the
   * first time.
   */
  isSeasoned(user: string, key: string): Promise<boolean>
  forgetKey(user: string, key: string): Promise<void>
}

const day = 86_400_000
const knownMs = 90 * day

type Row = { id: string; email: Buffer | null }

export function createUsers(parts: { database: Kysely<unknown>; clock: Clock; secrets: Secrets }): Users {
  const { database, clock, secrets } = parts
  const place = (id: string) => ({ table: 'auth_user', row: id, owner: id })
  const userOf = async ({ id, email }: Row): Promise<User> => ({
    id,
    email: email === null ? undefined : (await secrets.open(place(id), email)).toString(),
  })

  return {
    async byMailbox(mailbox, email) {
      const { rows: known } = await sql<Row>`
        select id, email from auth_user where mailbox = ${Buffer.from(mailbox)}`.execute(database)
      if (known[0] !== undefined && (await secrets.has(known[0].id))) return userOf(known[0])
      // Deleted, and brought back by a backup: he begins anew.
      if (known[0] !== undefined) await sql`delete from auth_user where id = ${known[0].id}`.execute(database)
      const id = randomUUID()
      const sealed = await secrets.seal(place(id), Buffer.from(email))
      // Two tabs may be the first at once: one row, and both get it.
      await sql`
        insert into auth_user (id, mailbox, email, created_at)
        values (${id}, ${Buffer.from(mailbox)}, ${sealed}, ${clock.now()})
        on conflict (mailbox) do nothing`.execute(database)
      const { rows } = await sql<Row>`
        select id, email from auth_user where mailbox = ${Buffer.from(mailbox)}`.execute(database)
      const [row] = rows
      if (row === undefined) throw new Error('The user that was just written is not there.')
      if (row.id !== id) await secrets.destroy(id)
      return userOf(row)
    },
    async find(id) {
      const { rows } = await sql<Row>`select id, email from auth_user where id = ${id}`.execute(database)
      const [row] = rows
      return row === undefined ? undefined : userOf(row)
    },
    async hasMailbox(id) {
      const { rows } = await sql`
        select from auth_user where id = ${id} and mailbox is not null`.execute(database)
      return rows.length > 0
    },
    async mailboxOf(id) {
      const { rows } = await sql<Row & { mailbox: Buffer }>`
        select id, email, mailbox from auth_user where id = ${id} and mailbox is not null`.execute(database)
      const [row] = rows
      const email = row && (await userOf(row)).email
      return row === undefined || email === undefined ? undefined : { mailbox: row.mailbox, email }
    },
    async moveTo(id, mailbox, email) {
      const sealed = await secrets.seal(place(id), Buffer.from(email))
      const { rows } = await sql`
        update auth_user set mailbox = ${Buffer.from(mailbox)}, email = ${sealed}
        where id = ${id} and not exists (
          select from auth_user as other where other.mailbox = ${Buffer.from(mailbox)} and other.id <> ${id})
        returning id`.execute(database)
      if (rows.length === 0) throw new Problem(409, 'email', 'Another wallet has this address already.')
    },
    async rememberKey(user, key) {
      const now = clock.now()
      await sql`
        insert into auth_key (key_thumbprint, user_id, seen_at, since) values (${key}, ${user}, ${now}, ${now})
        on conflict (key_thumbprint, user_id) do update set
          seen_at = excluded.seen_at,
          since = case when auth_key.seen_at > ${now - knownMs} then auth_key.since else excluded.since end`.execute(
        database,
      )
    },
    async isKnownKey(key) {
      const { rows } = await sql`
        select from auth_key where key_thumbprint = ${key} and seen_at > ${clock.now() - knownMs} limit 1`.execute(
        database,
      )
      return rows.length > 0
    },
    async isSeasoned(user, key) {
      const { rows } = await sql`
        select from auth_key left join auth_wallet using (user_id)
        where user_id = ${user} and key_thumbprint = ${key}
          and (since <= ${clock.now() - day} or founder = ${key})`.execute(database)
      return rows.length > 0
    },
    async forgetKey(user, key) {
      await sql`delete from auth_key where user_id = ${user} and key_thumbprint = ${key}`.execute(database)
    },
  }
}
