import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { KeyEncryption } from '../kit/keyEncryption.ts'

/** Who has a wallet here. */
export type User = { readonly id: string; readonly email: string | undefined }

/** The users, found by the way in that they used: a mailbox, or an account with an identity provider. */
export type Users = {
  /** The user of a mailbox; a new one when there is none. Its address is kept sealed, for mail to him. */
  byMailbox(mailbox: Uint8Array, email: string): Promise<User>
  find(id: string): Promise<User | undefined>
  /** Notes that a user logged in with a frame's key. */
  rememberKey(user: string, key: string): Promise<void>
  /** Whether anybody logged in with this key in the last ninety days: it says nothing of whom. */
  isKnownKey(key: string): Promise<boolean>
}

const knownMs = 90 * 86_400_000

type Row = { id: string; email: Buffer | null }

export function createUsers(parts: { database: Kysely<unknown>; clock: Clock; encryption: KeyEncryption }): Users {
  const { database, clock, encryption } = parts
  const place = (id: string) => ({ table: 'auth_user', row: id, owner: id })
  const userOf = ({ id, email }: Row): User => ({
    id,
    email: email === null ? undefined : encryption.open(place(id), email).secret.toString(),
  })

  return {
    async byMailbox(mailbox, email) {
      const id = randomUUID()
      const sealed = encryption.seal(place(id), Buffer.from(email))
      // Two tabs may be the first at once: one row, and both get it.
      await sql`
        insert into auth_user (id, mailbox, email, created_at)
        values (${id}, ${Buffer.from(mailbox)}, ${sealed}, ${clock.now()})
        on conflict (mailbox) do nothing`.execute(database)
      const { rows } = await sql<Row>`
        select id, email from auth_user where mailbox = ${Buffer.from(mailbox)}`.execute(database)
      const [row] = rows
      if (row === undefined) throw new Error('The user that was just written is not there.')
      return userOf(row)
    },
    async find(id) {
      const { rows } = await sql<Row>`select id, email from auth_user where id = ${id}`.execute(database)
      const [row] = rows
      return row === undefined ? undefined : userOf(row)
    },
    async rememberKey(user, key) {
      await sql`
        insert into auth_key (key_thumbprint, user_id, seen_at) values (${key}, ${user}, ${clock.now()})
        on conflict (key_thumbprint, user_id) do update set seen_at = excluded.seen_at`.execute(database)
    },
    async isKnownKey(key) {
      const { rows } = await sql`
        select from auth_key where key_thumbprint = ${key} and seen_at > ${clock.now() - knownMs} limit 1`.execute(
        database,
      )
      return rows.length > 0
    },
  }
}
