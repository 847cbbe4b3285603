import { createHmac, randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import type { KeyEncryption } from '../../kit/keyEncryption.ts'

/** An account with somebody who says who its owner is. */
export type Identity = {
  readonly provider: string
  readonly subject: string
  readonly userName?: string
  readonly email?: string
}

/** Users by their accounts elsewhere. The account is the key: two with one e-mail address are two users. */
export type Identities = {
  /** The user of an account; a new one when there is none. */
  userOf(identity: Identity): Promise<string>
  /** By which account a user logs in, for showing it. */
  find(user: string): Promise<{ provider: string; userName: string | undefined } | undefined>
}

export type IdentitiesParts = {
  database: Kysely<unknown>
  clock: Clock
  encryption: KeyEncryption
  pepper: Uint8Array
}

const namePlace = (user: string) => ({ table: 'auth_identity', row: user, owner: user })
const emailPlace = (user: string) => ({ table: 'auth_user', row: user, owner: user })

export function createIdentities({ database, clock, encryption, pepper }: IdentitiesParts): Identities {
  const hashOf = ({ provider, subject }: Identity): Buffer =>
    createHmac('sha256', pepper).update(`identity\0${provider}\0${subject}`).digest()

  return {
    async userOf(identity) {
      const { provider, userName, email } = identity
      const subject = hashOf(identity)
      return database.transaction().execute(async (transaction) => {
        // Two frames may be the first at once: one after the other, in all processes.
        await sql`select pg_advisory_xact_lock(${subject.readInt32BE()}, ${subject.readInt32BE(4)})`.execute(
          transaction,
        )
        const { rows } = await sql<{ user_id: string }>`
          select user_id from auth_identity where provider = ${provider} and subject = ${subject}`.execute(transaction)
        const user = rows[0]?.user_id ?? randomUUID()
        const name = userName === undefined ? null : encryption.seal(namePlace(user), Buffer.from(userName))
        if (rows.length > 0) {
          await sql`update auth_identity set name = ${name} where user_id = ${user}`.execute(transaction)
          return user
        }
        const sealed = email === undefined ? null : encryption.seal(emailPlace(user), Buffer.from(email))
        await sql`
          insert into auth_user (id, email, created_at) values (${user}, ${sealed}, ${clock.now()})`.execute(
          transaction,
        )
        await sql`
          insert into auth_identity (provider, subject, user_id, name, created_at)
          values (${provider}, ${subject}, ${user}, ${name}, ${clock.now()})`.execute(transaction)
        return user
      })
    },
    async find(user) {
      const { rows } = await sql<{ provider: string; name: Buffer | null }>`
        select provider, name from auth_identity where user_id = ${user}`.execute(database)
      const [row] = rows
      if (row === undefined) return undefined
      const userName = row.name === null ? undefined : encryption.open(namePlace(user), row.name).secret.toString()
      return { provider: row.provider, userName }
    },
  }
}
