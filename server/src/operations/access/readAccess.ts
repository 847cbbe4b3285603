import { sql, type Kysely } from 'kysely'
import type { AccessChanges } from '../../kit/http/access.ts'
import type { DatabaseTables } from '../../schema/databaseTables.ts'

/** Every process checks each ban for each request. */
const maxBans = 10_000

/** The stored changes, and the version that each change raises. */
export type StoredAccess = AccessChanges & { version: number }

/** Reads the version, which is cheap. */
export async function readAccessVersion(database: Kysely<unknown>): Promise<number> {
  const { version } = await withTables(database)
    .selectFrom('access_version')
    .select('version')
    .executeTakeFirstOrThrow()
  return version
}

/** Reads all changes with their version, at one moment. */
export async function readAccess(database: Kysely<unknown>): Promise<StoredAccess> {
  return withTables(database)
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const { version } = await transaction.selectFrom('access_version').select('version').executeTakeFirstOrThrow()
      const projects = await transaction.selectFrom('access_project').selectAll().orderBy('id').execute()
      const bans = await transaction.selectFrom('access_ban').select('subject').orderBy('subject').execute()
      return {
        version,
        projects: projects.map(({ id, origins, is_allowed: isAllowed }) => ({
          id,
          allowedOrigins: origins,
          isAllowed,
        })),
        bans: bans.map(({ subject }) => subject),
      }
    })
}

/** Adds a project, changes its origins, or removes it; the last is stored, because it may override the configuration. */
export async function storeProject(
  database: Kysely<unknown>,
  { id, allowedOrigins, isAllowed }: AccessChanges['projects'][number],
): Promise<void> {
  const values = { origins: [...allowedOrigins], is_allowed: isAllowed }
  await withTables(database)
    .insertInto('access_project')
    .values({ id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
}

/**
 * Stores a ban. Idempotent.
 *
 * @param subject in the form of `parseBan`
 * @throws Error with a sentence if there are too many bans
 */
export async function storeBan(database: Kysely<unknown>, subject: string): Promise<void> {
  const { count } = await withTables(database)
    .selectFrom('access_ban')
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxBans) {
    throw new Error(`There are ${maxBans} bans already. Ban prefixes instead of addresses, or block them in the proxy.`)
  }
  await withTables(database)
    .insertInto('access_ban')
    .values({ subject })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes a ban; returns false if there was none. */
export async function deleteBan(database: Kysely<unknown>, subject: string): Promise<boolean> {
  const { numDeletedRows } = await withTables(database)
    .deleteFrom('access_ban')
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

function withTables(database: Kysely<unknown>): Kysely<DatabaseTables> {
  // The migrations of this service made these tables.
  return database as Kysely<DatabaseTables>
}
