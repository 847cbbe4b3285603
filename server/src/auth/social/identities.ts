import { createHmac, randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../../kit/clock.ts'
import type { Secrets } from '../../kit/secrets.ts'

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
  secrets: Secrets
  pepper: Uint8Array
}

const namePlace = (user: string) => ({ table: 'auth_identity', row: user, owner: user })
const emailPlace = (user: string) => ({ table: 'auth_user', row: user, owner: user })

export function createIdentities({ database, clock, secrets, pepper }: IdentitiesParts): Identities {
  const hashOf = ({ provider, subject }: Identity): Buffer =>
    createHmac('sha256', pepper).update(`identity\0${provider}\0${subject}`).digest()
  const sealed = async (place: ReturnType<typeof namePlace>, text: string | undefined): Promise<Buffer | null> =>
    text === undefined ? null : secrets.seal(place, Buffer.from(text))

  async function known(asked: Kysely<unknown>, provider: string, subject: Buffer): Promise<string | undefined> {
    const { rows } = await sql<{ user_id: string }>`
      select user_id from auth_identity where provider = ${provider} and subject = ${subject}`.execute(asked)
    return rows[0]?.user_id
  }

  async function make({ provider, userName, email }: Identity, subject: Buffer): Promise<string> {
    const user = randomUUID()
    const [name, address] = [await sealed(namePlace(user), userName), await sealed(emailPlace(user), email)]
    const winner = await database.transaction().execute(async (transaction) => {
      // Two frames may be the first at once: one after the other, in all processes.
      await sql`select pg_advisory_xact_lock(${subject.readInt32BE()}, ${subject.readInt32BE(4)})`.execute(transaction)
      const other = await known(transaction, provider, subject)
      if (other !== undefined) return other
      const now = clock.now()
      await sql`insert into auth_user (id, email, created_at) values (${user}, ${address}, ${now})`.execute(transaction)
      await sql`
        insert into auth_identity (provider, subject, user_id, name, created_at)
        values (${provider}, ${subject}, ${user}, ${name}, ${now})`.execute(transaction)
      return user
    })
    if (winner !== user) await secrets.destroy(user)
    return winner
  }

  return {
    async userOf(identity) {
      const subject = hashOf(identity)
      const user = await known(database, identity.provider, subject)
      if (user === undefined) return make(identity, subject)
      const name = await sealed(namePlace(user), identity.userName)
      await sql`update auth_identity set name = ${name} where user_id = ${user}`.execute(database)
      return user
    },
    async find(user) {
      const { rows } = await sql<{ provider: string; name: Buffer | null }>`
        select provider, name from auth_identity where user_id = ${user}`.execute(database)
      const [row] = rows
      if (row === undefined) return undefined
      const userName = row.name === null ? undefined : (await secrets.open(namePlace(user), row.name)).toString()
      return { provider: row.provider, userName }
    },
  }
}
