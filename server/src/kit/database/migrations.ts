import { sql, type Kysely, type Migration, Migrator } from 'kysely'
import { earlierSchema } from './backup/prepareDatabase.ts'

/** The migrations of a service by name. They run in the order of their names, so names begin with a number. */
export type Migrations = { readonly [name: string]: Migration }

/**
 * Runs the migrations that this database has not seen. Several servers may start at once: one of them migrates under
 * PostgreSQL's advisory lock, the others wait.
 *
 * @param service whose migrations these are; each service has its own record, because services may share a database
 * @param options.isRestore true if a restore fills the tables next
 * @throws Error naming the migration that failed; the failed run leaves no changes
 * @throws Error if a restore was interrupted, so that no server runs on its incomplete tables
 */
export async function migrate(
  database: Kysely<unknown>,
  migrations: Migrations,
  service: string,
  { isRestore = false }: { isRestore?: boolean } = {},
): Promise<void> {
  if (!isRestore) await assertNoInterruptedRestore(database)
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // Tables of the same name in another schema, such as those that a restore sets aside, are not this record.
    migrationTableSchema: 'public',
    migrationTableName: `latchkey_migration_${service}`,
    migrationLockTableName: `latchkey_migration_lock_${service}`,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName ?? 'before the first migration'
  throw new Error(`The database could not be brought up to date (${failed}).`, { cause: error })
}

async function assertNoInterruptedRestore(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`select from pg_namespace where nspname = ${earlierSchema}`.execute(database)
  if (rows.length > 0) {
    throw new Error('A restore was interrupted, so the tables are incomplete. Run it again, see docs/operate.md.')
  }
}

/**
 * Chooses the migrations that a backup has, so that its rows fit the tables. The server runs the later ones.
 *
 * @param recorded the names in the backup
 * @throws Error with a sentence if there are unknown names
 */
export function pickMigrations(migrations: Migrations, recorded: readonly string[]): Migrations {
  return Object.fromEntries(
    recorded.map((name) => {
      const migration = migrations[name]
      if (migration === undefined) {
        throw new Error(
          `The backup has the migration ${name}, which this release lacks: restore it with a newer release.`,
        )
      }
      return [name, migration]
    }),
  )
}
