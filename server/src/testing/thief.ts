import Fastify from 'fastify'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../kit/database.ts'

/** Somebody who has got at a database: he copies it, and changes it. */
export type Thief = {
  /** Everything that every table holds, with bytes in hex; the migrations' own tables are left out. */
  copy(): Promise<string>
  /** Runs one statement, as PostgreSQL reads it. */
  run(statement: string): Promise<readonly Record<string, unknown>[]>
  leave(): Promise<void>
}

/** Lets a thief in. */
export async function letThiefIn(databaseUrl: string): Promise<Thief> {
  const database: Database = await openDatabase({ databaseUrl, dataDir: '' }, Fastify({ logger: false }).log)
  const run = async (statement: string) =>
    (await sql.raw<Record<string, unknown>>(statement).execute(database.kysely)).rows
  return {
    run,
    async copy() {
      const tables = await run(`select tablename as name from pg_tables where schemaname = 'public'`)
      const texts = await Promise.all(
        tables
          .map(({ name }) => String(name))
          .filter((name) => !name.startsWith('latchkey_migration'))
          .map(async (name) => {
            const rows = await run(`select t::text as row from "${name}" as t`)
            return [name, ...rows.map(({ row }) => String(row))].join('\n')
          }),
      )
      return texts.join('\n\n')
    },
    leave: () => database.close(),
  }
}
