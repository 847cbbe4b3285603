import Fastify from 'fastify'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../kit/database/database.ts'

/** An attacker with access to a database, who copies and changes it. */
export type DatabaseThief = {
  /** The content of all tables, with bytes in hexadecimal, except the tables of the migrations. */
  copy(): Promise<string>
  /** Executes one SQL statement. */
  run(statement: string): Promise<readonly Record<string, unknown>[]>
  /** Copies all rows as an operator's backup does: without the data keys and the log. */
  save(): Promise<readonly string[]>
  /** Replaces all rows with such a backup. */
  restore(saved: readonly string[]): Promise<void>
  leave(): Promise<void>
}

/** Opens a database as an attacker. */
export async function openStolenDatabase(databaseUrl: string): Promise<DatabaseThief> {
  const database: Database = await openDatabase({ databaseUrl, dataDir: '' }, Fastify({ logger: false }).log)
  const run = async (statement: string) =>
    (await sql.raw<Record<string, unknown>>(statement).execute(database.kysely)).rows
  const tables = async (): Promise<string[]> =>
    (await run(`select tablename as name from pg_tables where schemaname = 'public'`))
      .map(({ name }) => String(name))
      .filter((name) => !name.startsWith('latchkey_migration'))
  return {
    run,
    async copy() {
      const texts = await Promise.all(
        (await tables()).map(async (name) => {
          const rows = await run(`select t::text as row from "${name}" as t`)
          return [name, ...rows.map(({ row }) => String(row))].join('\n')
        }),
      )
      return texts.join('\n\n')
    },
    async save() {
      const readable = (await tables()).filter((name) => !/_(data_key|audit)$/.test(name))
      return Promise.all(
        readable.map(async (name) => {
          const [all] = await run(`select coalesce(json_agg(t), '[]')::text as rows from "${name}" as t`)
          const rows = String(all?.['rows']).replaceAll("'", "''")
          return `delete from "${name}"; insert into "${name}" select * from json_populate_recordset(null::"${name}", '${rows}');`
        }),
      )
    },
    async restore(saved) {
      await run(`begin; set local session_replication_role = replica; ${saved.join('\n')} commit`)
    },
    leave: () => database.close(),
  }
}
