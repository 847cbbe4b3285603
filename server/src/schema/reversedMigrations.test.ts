import Fastify from 'fastify'
import { sql, type Kysely } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../kit/database/database.ts'
import { migrate, reverseMigrations, type Migrations } from '../kit/database/migrations.ts'
import { createTestDatabase } from '../testing/database.ts'
import { schemas } from './schemas.ts'

/** The last migrations of the first release, to which no operator can go back. Later ones have to be reversible. */
const firstRelease: Readonly<Record<keyof typeof schemas, string>> = {
  access: '001-access',
  relay: '006-relay-usage-mark',
  api: '004-api-spam-reports',
  indexer: '010-index-history-place',
  names: '003-terms',
  onramp: '001-onramp-sandbox',
  auth: '015-auth-refusals',
  shares: '015-share-refusals',
}

const later = Object.entries(schemas).flatMap(([service, migrations]: [string, Migrations]) =>
  Object.keys(migrations)
    .filter((name) => name > firstRelease[service as keyof typeof schemas])
    .map((name) => ({ service, name, migrations })),
)

/** Describes all tables, indexes, constraints, functions and triggers of the services as text. */
async function describeTables(database: Kysely<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
    from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    order by line`.execute(database)
  return rows.map(({ line }) => line)
}

test('each migration after the first release can be reversed', () => {
  expect(later.filter(({ name, migrations }) => migrations[name]?.down === undefined)).toEqual([])
})

describe.each(later)('$service/$name', ({ service, name, migrations }) => {
  test('is reversed to exactly the tables of the release before, and runs again', { tags: 'faults' }, async () => {
    const place = await createTestDatabase()
    onTestFinished(() => place.close())
    const { kysely, close } = await openDatabase(
      { databaseUrl: place.url, dataDir: '' },
      Fastify({ logger: false }).log,
    )
    onTestFinished(close)
    const names = Object.keys(migrations).toSorted()
    const before = names.slice(0, names.indexOf(name))
    const target = before.at(-1) ?? ''
    await migrate(
      kysely,
      Object.fromEntries(before.map((each) => [each, migrations[each] ?? {}])) as Migrations,
      service,
    )
    const earlier = await describeTables(kysely)
    await migrate(kysely, migrations, service)
    const newer = await describeTables(kysely)
    await reverseMigrations(kysely, migrations, { service, target })
    expect(await describeTables(kysely)).toEqual(earlier)
    await migrate(kysely, migrations, service)
    expect(await describeTables(kysely)).toEqual(newer)
    expect(newer).not.toEqual(earlier)
  })
})
