import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { BackupFrame, SequenceState } from './backupFrames.ts'
import { listTables, quoteName, type TableShape } from './listTables.ts'

export type DumpOptions = {
  url: string
  /** The name of the database in the backup. */
  name: string
  /** Tables to leave out. */
  excluded: readonly string[]
  /** Called after each table. */
  progress(table: string, bytes: number): void
}

const migrationPrefix = 'latchkey_migration_'

/**
 * Reads a database as the frames of a backup, at one moment and while it is in use: all tables are read in one transaction
 * with a snapshot.
 *
 * @throws Error of the driver if the database can't be read
 */
export async function* dumpDatabase({ url, name, excluded, progress }: DumpOptions): AsyncGenerator<BackupFrame> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    yield { kind: 'database', name, migrations: await readMigrations(client) }
    for (const table of await listTables(client)) {
      if (excluded.includes(table.name)) continue
      yield { kind: 'table', name: table.name, columns: table.columns }
      let bytes = 0
      for await (const data of readRows(client, table)) {
        bytes += data.length
        yield { kind: 'rows', data }
      }
      progress(`${name}.${table.name}`, bytes)
    }
    yield { kind: 'sequences', sequences: await readSequences(client) }
  } finally {
    await client.end()
  }
}

async function* readRows(client: pg.Client, { name, columns }: TableShape): AsyncGenerator<Buffer> {
  const stream = client.query(copyTo(`copy ${quoteName(name)} (${columns.map(quoteName).join(', ')}) to stdout`))
  for await (const chunk of stream) yield Buffer.from(chunk as Uint8Array)
}

/** The migrations of each service, by the tables in which they are recorded. */
async function readMigrations(client: pg.Client): Promise<Record<string, readonly string[]>> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename like '${migrationPrefix}%'
       and tablename not like '${migrationPrefix}lock_%'`,
  )
  const migrations: Record<string, readonly string[]> = {}
  for (const { name } of rows) {
    const recorded = await client.query<{ name: string }>(`select name from ${quoteName(name)} order by name`)
    migrations[name.slice(migrationPrefix.length)] = recorded.rows.map((row) => row.name)
  }
  return migrations
}

async function readSequences(client: pg.Client): Promise<readonly SequenceState[]> {
  const { rows } = await client.query<SequenceState>(
    `select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = 'public' and last_value is not null order by sequencename`,
  )
  return rows
}
