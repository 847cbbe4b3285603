import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { generate, PostgresDialect } from 'kysely-codegen'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { migrate } from '../kit/database/migrations.ts'
import { createTestDatabase } from '../testing/database.ts'
import { schemas } from './schemas.ts'

const generator = 'generator'

/**
 * Waits until the generator is disconnected. It does not wait for that itself, and does not handle the error that PostgreSQL
 * sends to its connections when the database is dropped.
 */
async function waitForDisconnect({ kysely }: Database): Promise<void> {
  const query = sql`select 1 from pg_stat_activity where application_name = ${generator} and datname = current_database()`
  while ((await query.execute(kysely)).rows.length > 0) await sleep(20)
}

test.each(Object.entries(schemas))(
  'the tables of %s equal the types generated from a migrated database',
  async (service, migrations) => {
    const place = await createTestDatabase()
    onTestFinished(() => place.close())
    const database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
    onTestFinished(() => database.close())
    await migrate(database.kysely, migrations, service)

    const dialect = new PostgresDialect()
    const url = new URL(place.url)
    url.searchParams.set('application_name', generator)
    const db = await dialect.introspector.connect({ connectionString: url.href, dialect })
    onTestFinished(async () => {
      await db.destroy()
      await waitForDisconnect(database)
    })
    const generated = await generate({
      db,
      dialect,
      excludePattern: 'public.latchkey_migration*',
      outFile: null,
      // `openDatabase` parses 64-bit integers as numbers.
      typeMapping: { int8: 'number' },
    })

    // `node scripts/database-types.mjs` runs this test with --update, which writes the files.
    const name = `${service.charAt(0).toUpperCase()}${service.slice(1)}Tables`
    await expect(generated.replace('interface DB ', `interface ${name} `)).toMatchFileSnapshot(
      `tables/${service}Tables.ts`,
    )
  },
)
