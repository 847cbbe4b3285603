import Fastify from 'fastify'
import { generate, PostgresDialect } from 'kysely-codegen'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../kit/database/database.ts'
import { migrate } from '../kit/database/migrations.ts'
import { createTestDatabase } from '../testing/database.ts'
import { schemas } from './schemas.ts'

test.each(Object.entries(schemas))(
  'the tables of %s equal the types generated from a migrated database',
  async (service, migrations) => {
    const place = await createTestDatabase()
    onTestFinished(() => place.close())
    const database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
    onTestFinished(() => database.close())
    await migrate(database.kysely, migrations, service)

    const dialect = new PostgresDialect()
    const db = await dialect.introspector.connect({ connectionString: place.url, dialect })
    onTestFinished(() => db.destroy())
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
