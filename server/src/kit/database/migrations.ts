import { sql, type Kysely, type Migration, type MigrationResultSet, Migrator } from 'kysely'
import { earlierSchema } from './backup/prepareDatabase.ts'

/**
 * The migrations of a service by name. They run in the order of their names, so names begin with a number.
 *
 * `down` gives the tables of the release before, with all rows that it wrote. `loses` says which rows of the newer release are
 * deleted, as the object of a sentence. A migration without `down` can't be reversed.
 */
export type Migrations = { readonly [name: string]: Migration & { readonly loses?: string } }

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
  const unknown = (await listRecordedMigrations(database, service)).filter((name) => migrations[name] === undefined)
  if (unknown.length > 0) {
    throw new Error(
      `The tables of ${service} are those of a newer release (${unknown.join(', ')}). Start that release, or reverse them with its command "migrate", see docs/operate.md.`,
    )
  }
  throwFailure(await createMigrator(database, migrations, service).migrateToLatest(), 'brought up to date')
}

function createMigrator(database: Kysely<unknown>, migrations: Migrations, service: string): Migrator {
  return new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // Tables of the same name in another schema, such as those that a restore sets aside, are not this record.
    migrationTableSchema: 'public',
    migrationTableName: recordOf(service),
    migrationLockTableName: `latchkey_migration_lock_${service}`,
  })
}

function recordOf(service: string): string {
  return `latchkey_migration_${service}`
}

function throwFailure({ error, results }: MigrationResultSet, what: string): void {
  if (error === undefined) return
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName ?? 'before the first migration'
  throw new Error(`The database could not be ${what} (${failed}).`, { cause: error })
}

/** Lists the migrations that a database has run for a service, in their order. */
export async function listRecordedMigrations(database: Kysely<unknown>, service: string): Promise<readonly string[]> {
  const { rows: found } = await sql<{ record: string | null }>`
    select to_regclass(${`public.${recordOf(service)}`})::text as record`.execute(database)
  if ((found[0]?.record ?? null) === null) return []
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(`public.${recordOf(service)}`)} order by name`.execute(database)
  return rows.map(({ name }) => name)
}

/**
 * Lists the migrations to reverse, the last one first, so that `target` is the last one that remains.
 *
 * @param recorded the migrations that the database has run
 * @throws Error with a sentence if one of them can't be reversed, or the target is unknown
 */
export function planReversal(
  migrations: Migrations,
  recorded: readonly string[],
  target: string,
): readonly { name: string; loses: string | undefined }[] {
  if (migrations[target] === undefined) throw new Error(`This release has no migration ${target}.`)
  return recorded
    .filter((name) => name > target)
    .toReversed()
    .map((name) => {
      const { down, loses } = migrations[name] ?? {}
      if (down !== undefined) return { name, loses }
      throw new Error(`The migration ${name} can't be reversed: restore the backup from before the upgrade.`)
    })
}

/**
 * Reverses the migrations after a target, which `planReversal` has checked. They are reversed together, or not at all.
 *
 * @throws Error naming the migration that failed
 */
export async function reverseMigrations(
  database: Kysely<unknown>,
  migrations: Migrations,
  { service, target }: { service: string; target: string },
): Promise<void> {
  throwFailure(await createMigrator(database, migrations, service).migrateTo(target), 'taken back')
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
