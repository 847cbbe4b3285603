import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { createKeyedHash } from '../../custody/keyedHash.ts'
import { lockHash } from '../../custody/lockHash.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'

/** An account at an identity provider. */
export type Identity = {
  readonly provider: string
  readonly subject: string
  readonly userName?: string
  readonly email?: string
}

/**
 * Maps accounts at identity providers to users. Accounts with the same e-mail address belong to separate users.
 */
export type Identities = {
  /** Returns the id of the account's user, and creates a user if there is none. */
  findOrCreateUser(identity: Identity): Promise<string>
  /** Returns the id of the account's user, if there is one. */
  findUser(identity: Pick<Identity, 'provider' | 'subject'>): Promise<string | undefined>
  /** Returns the account that a user logs in with. */
  find(user: string): Promise<{ provider: string; userName: string | undefined } | undefined>
}

export type IdentitiesDependencies = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  pepper: Uint8Array
}

const nameLocation = (user: string) => ({ table: 'auth_identity', row: user, owner: user })
const emailLocation = (user: string) => ({ table: 'auth_user', row: user, owner: user })

/**
 * Creates the table of accounts at identity providers.
 *
 * @param dependencies `secrets` seals names and addresses; `pepper` is the key of the hashes by which accounts are found
 */
export function createIdentities({ database, clock, secrets, pepper }: IdentitiesDependencies): Identities {
  const hash = createKeyedHash(pepper)
  // An account without a name has an empty one, so that every user has data keys.
  const sealName = (user: string, name = ''): Promise<Buffer> => secrets.seal(nameLocation(user), Buffer.from(name))

  async function findUser(from: Kysely<unknown>, provider: string, subject: Buffer): Promise<string | undefined> {
    const { rows } = await sql<{ user_id: string }>`
      select user_id from auth_identity where provider = ${provider} and subject = ${subject}`.execute(from)
    return rows[0]?.user_id
  }

  async function createUser({ provider, userName, email }: Identity, subject: Buffer): Promise<string> {
    const user = randomUUID()
    const name = await sealName(user, userName)
    const address = email === undefined ? null : await secrets.seal(emailLocation(user), Buffer.from(email))
    const stored = await database.transaction().execute(async (transaction) => {
      // Concurrent first logins are serialized, in all processes.
      await lockHash(transaction, subject)
      const other = await findUser(transaction, provider, subject)
      if (other !== undefined) return other
      const now = clock.now()
      await sql`insert into auth_user (id, email, created_at) values (${user}, ${address}, ${now})`.execute(transaction)
      await sql`
        insert into auth_identity (provider, subject, user_id, name, created_at)
        values (${provider}, ${subject}, ${user}, ${name}, ${now})`.execute(transaction)
      return user
    })
    if (stored !== user) await secrets.destroy(user)
    return stored
  }

  return {
    async findOrCreateUser(identity) {
      const subject = hash('identity', `${identity.provider}\0${identity.subject}`)
      const user = await findUser(database, identity.provider, subject)
      if (user === undefined) return createUser(identity, subject)
      if (!(await secrets.hasKeys(user))) {
        // A deleted user that a backup restored no longer has data keys. The account gets a new user. [K-13]
        await sql`delete from auth_user where id = ${user}`.execute(database)
        return createUser(identity, subject)
      }
      const name = await sealName(user, identity.userName)
      await sql`update auth_identity set name = ${name} where user_id = ${user}`.execute(database)
      return user
    },
    findUser: ({ provider, subject }) => findUser(database, provider, hash('identity', `${provider}\0${subject}`)),
    async find(user) {
      const { rows } = await sql<{ provider: string; name: Buffer | null }>`
        select provider, name from auth_identity where user_id = ${user}`.execute(database)
      const [row] = rows
      if (row === undefined) return undefined
      const name = row.name === null ? '' : (await secrets.open(nameLocation(user), row.name)).toString()
      return { provider: row.provider, userName: name === '' ? undefined : name }
    },
  }
}
