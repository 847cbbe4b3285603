import { type Kysely, type Migration, Migrator } from 'kysely'

/** The steps that bring a database up to date, by name; they run in the order of their names. */
export type Migrations = { readonly [name: string]: Migration }

/**
 * Runs the steps that this database has not seen. Several servers may start at once: one does the work under
 * PostgreSQL's advisory lock, the others wait for it.
 *
 * @param part whose steps these are, when not the relay's, whose tables were the first: each part has its own list
 * @throws Error naming the step that failed; nothing of that run is kept then
 */
export async function migrate(database: Kysely<unknown>, migrations: Migrations, part?: string): Promise<void> {
  const suffix = part === undefined ? '' : `_${part}`
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: `latchkey_migration${suffix}`,
    migrationLockTableName: `latchkey_migration_lock${suffix}`,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName ?? 'before the first step'
  throw new Error(`The database could not be brought up to date (${failed}).`, { cause: error })
}
