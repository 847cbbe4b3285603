import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Secrets } from '../kit/secrets.ts'

/**
 * The keys of the way that needs nothing of the visitor: the share store keeps them, apart from what they open, and gives
 * them to devices that were approved.
 */
export type AutoKeys = {
  /** The user's key; a new one when there is none. */
  of(user: string): Promise<Buffer>
  /** Whoever leaves the way leaves no key behind. */
  forget(user: string, within: Kysely<unknown>): Promise<void>
}

const keyBytes = 32

export function createAutoKeys({ database, secrets }: { database: Kysely<unknown>; secrets: Secrets }): AutoKeys {
  const place = (user: string) => ({ table: 'share_auto', row: user, owner: user })
  const sealedOf = async (user: string): Promise<Buffer | undefined> => {
    const { rows } = await sql<{ secret: Buffer }>`
      select secret from share_auto where user_id = ${user}`.execute(database)
    return rows[0]?.secret
  }
  return {
    async of(user) {
      const present = await sealedOf(user)
      if (present !== undefined) return secrets.open(place(user), present)
      const sealed = await secrets.seal(place(user), randomBytes(keyBytes))
      await sql`
        insert into share_auto (user_id, secret) values (${user}, ${sealed})
        on conflict do nothing`.execute(database)
      return secrets.open(place(user), (await sealedOf(user)) ?? sealed)
    },
    async forget(user, within) {
      await sql`delete from share_auto where user_id = ${user}`.execute(within)
    },
  }
}
