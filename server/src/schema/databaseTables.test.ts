import Fastify from 'fastify'
import { generate, PostgresDialect } from 'kysely-codegen'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../kit/database/database.ts'
import { migrate } from '../kit/database/migrations.ts'
import { createTestDatabase } from '../testing/database.ts'
import { schemas } from './schemas.ts'

test('databaseTables.ts equals the types generated from a migrated database', async () => {
  const place = await createTestDatabase()
  onTestFinished(() => place.close())
  const database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  onTestFinished(() => database.close())
  for (const [service, migrations] of Object.entries(schemas)) await migrate(database.kysely, migrations, service)

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

  // `node scripts/database-types.mjs` runs this test with --update, which writes the file.
  await expect(generated.replace('interface DB ', 'interface DatabaseTables ')).toMatchFileSnapshot('databaseTables.ts')
})
