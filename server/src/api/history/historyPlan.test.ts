import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { getPageStatement } from './indexHistory.ts'

const { log } = Fastify({ logger: false })
const account = `\\x${'ab'.repeat(20)}`
const busyRows = 60_000
const unlimited = 999_999_999_999_999

let place: TestPostgres
let database: Database

/** A busy address with all its recent rows on one chain, and ten old rows on another one. */
beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await migrate(database.kysely, indexerMigrations, 'indexer')
  await sql`
    insert into index_activity (address, mined_at, chain, block, position)
    select ${account}::bytea, 1000000 + row, 1, row, 0 from generate_series(1, ${busyRows}::int) as row
    union all select ${account}::bytea, row, 2, row, 0 from generate_series(1, 10) as row
  `.execute(database.kysely)
  await sql`vacuum analyze index_activity`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

type PlanNode = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Rows Removed by Filter'?: number
  Plans?: readonly PlanNode[]
}

/** Runs the statement of a page, and returns the scans of the activity. */
async function scanActivity(chains: readonly number[]): Promise<readonly PlanNode[]> {
  const { text } = getPageStatement(chains.length)
  const values = [account, chains, unlimited, 0, 0, 0, 51]
  const rows = await database.run<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
    `plan-${chains.length}`,
    `explain (analyze, format json) ${text}`,
    values,
  )
  const flatten = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
  const root = rows[0]?.['QUERY PLAN'][0].Plan
  return root === undefined ? [] : flatten(root).filter((node) => node['Relation Name'] === 'index_activity')
}

test('a page of one chain does not read the rows of other chains', async () => {
  expect(await scanActivity([2])).toMatchObject([{ 'Index Name': 'index_activity_by_chain' }])
  expect((await scanActivity([2]))[0]?.['Rows Removed by Filter'] ?? 0).toBe(0)
})

test('a page of several chains reads the primary key in its order', async () => {
  expect(await scanActivity([1, 2])).toMatchObject([{ 'Index Name': 'index_activity_pkey' }])
})
