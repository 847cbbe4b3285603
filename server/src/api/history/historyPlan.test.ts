import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { getRewindStatement, getVisibleStatement } from '../../indexer/history/createHistoryLedger.ts'
import { getPageStatement } from '../../indexer/history/createPostgresHistory.ts'

const { log } = Fastify({ logger: false })
const account = `\\x${'ab'.repeat(20)}`
const busyRows = 60_000
const unlimited = 999_999_999_999_999
const pageRows = 51

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
  await sql`
    insert into index_transaction (chain, block, position, hash, mined_at, sender, receiver, value, nonce, succeeded)
    select 1, row, 0, '', 1000000 + row, ${account}::bytea, ${account}::bytea, 0, 0, true
    from generate_series(1, ${busyRows}::int) as row
  `.execute(database.kysely)
  await sql`
    insert into index_transfer (chain, block, position, ordinal, kind, token, sender, receiver, amount)
    select 1, row, 0, 0, 1, '', ${account}::bytea, ${account}::bytea, 1
    from generate_series(1, ${busyRows}::int) as row
  `.execute(database.kysely)
  await sql`insert into index_chain (caip, first_block, head, target) values ('eip155:1', 0, ${busyRows}, ${busyRows})`.execute(
    database.kysely,
  )
  await sql`
    insert into index_block (chain, block, hash) select 1, row, '' from generate_series(1, ${busyRows}::int) as row
  `.execute(database.kysely)
  await sql`vacuum analyze index_block, index_activity, index_transaction, index_transfer`.execute(database.kysely)
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
  'Actual Rows'?: number
  'Actual Loops'?: number
  Plans?: readonly PlanNode[]
}

/** Runs the statement of a page, and returns the scans of the activity. */
async function scanActivity(chains: readonly number[]): Promise<readonly PlanNode[]> {
  const { text } = getPageStatement(chains.length)
  const values = [account, chains, unlimited, 0, 0, 0, pageRows]
  const nodes = await explain(`plan-${chains.length}`, text, values)
  return nodes.filter((node) => node['Relation Name'] === 'index_activity')
}

/** Runs a statement, and returns the nodes of its plan. */
async function explain(name: string, text: string, values: readonly unknown[]): Promise<readonly PlanNode[]> {
  type Row = { 'QUERY PLAN': readonly [{ Plan: PlanNode }] }
  const rows = await database.run<Row>(name, `explain (analyze, format json) ${text}`, values)
  const flatten = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
  const root = rows[0]?.['QUERY PLAN'][0].Plan
  return root === undefined ? [] : flatten(root)
}

test('a page of one chain does not read the rows of other chains', async () => {
  expect(await scanActivity([2])).toMatchObject([{ 'Index Name': 'index_activity_pkey' }])
  expect((await scanActivity([2]))[0]?.['Rows Removed by Filter'] ?? 0).toBe(0)
})

test('a page of several chains reads only the newest rows of each', async () => {
  const scans = await scanActivity([1, 2])
  expect(scans).toMatchObject([{ 'Index Name': 'index_activity_pkey', 'Actual Loops': 2 }])
  const [scan] = scans
  // The mean of both chains: a page of the first, ten rows of the second.
  expect(scan?.['Actual Rows']).toBeLessThanOrEqual(pageRows)
  expect(scan?.['Rows Removed by Filter'] ?? 0).toBe(0)
})

test('a reorg reads only the activity of the deleted transactions', async () => {
  const plan = await explain('plan-rewind', getRewindStatement(), [1, busyRows - 3, 0])
  const scans = plan.filter((node) => node['Relation Name'] === 'index_activity' && node['Node Type'] !== 'ModifyTable')
  expect(scans).toMatchObject([{ 'Index Name': 'index_activity_pkey' }])
})

test('the check of a page of another store reads only the hashes of its blocks', async () => {
  const blocks = Array.from({ length: pageRows }, (_, index) => 1 + 1_000 * index)
  const plan = await explain('plan-visible', getVisibleStatement(), [blocks.map(() => 1), blocks, blocks.map(() => '')])
  const scans = plan.filter((node) => node['Relation Name'] === 'index_block')
  expect(scans).toMatchObject([{ 'Index Name': 'index_block_pkey' }])
})
