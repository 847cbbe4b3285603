import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { SecretLocation, Secrets } from '../../kit/secrets/secrets.ts'

/**
 * The keys of the automatic recovery method, which needs no input from the user. The share store keeps them apart from what
 * they unlock and gives them to approved devices only.
 */
export type AutomaticKeys = {
  /** Returns the user's key of 32 bytes, and creates one if there is none. */
  getOrCreate(user: string): Promise<Buffer>
  /** Deletes the key, after the wallet stops using the automatic method. Idempotent. */
  delete(user: string, transaction: Kysely<unknown>): Promise<void>
}

const keyBytes = 32

/** The location that an automatic key is sealed for. */
export const automaticKeyLocation = (user: string): SecretLocation => ({ table: 'share_auto', row: user, owner: user })

export type AutomaticKeysDependencies = { database: Kysely<unknown>; secrets: Secrets }

/** Creates the automatic keys of the share store. */
export function createAutomaticKeys({ database, secrets }: AutomaticKeysDependencies): AutomaticKeys {
  async function findSealed(user: string): Promise<Buffer | undefined> {
    const { rows } = await sql<{ secret: Buffer }>`
      select secret from share_auto where user_id = ${user}`.execute(database)
    return rows[0]?.secret
  }
  return {
    async getOrCreate(user) {
      const location = automaticKeyLocation(user)
      const present = await findSealed(user)
      if (present !== undefined) return secrets.open(location, present)
      const sealed = await secrets.seal(location, randomBytes(keyBytes))
      await sql`
        insert into share_auto (user_id, secret) values (${user}, ${sealed})
        on conflict do nothing`.execute(database)
      return secrets.open(location, (await findSealed(user)) ?? sealed)
    },
    async delete(user, transaction) {
      await sql`delete from share_auto where user_id = ${user}`.execute(transaction)
    },
  }
}
