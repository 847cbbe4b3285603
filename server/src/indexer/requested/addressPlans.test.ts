import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { addressStatements } from './createAddressStore.ts'
import { historyStatements } from '../history/createPostgresHistory.ts'
import { maintenanceStatements } from './maintainAddresses.ts'

const { log } = Fastify({ logger: false })
const rows = 30_000
const address = '\\x0000000000000000000000000000000000000001'
const now = 1_000_000_000

let place: TestPostgres
let database: Database

/** A chain with many followed addresses, of which few are new, have gaps, are large or are expired. */
beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await migrate(database.kysely, indexerMigrations, 'indexer')
  await sql`insert into index_chain (caip, first_block, head, target) values ('eip155:1', 0, 100, 100)`.execute(
    database.kysely,
  )
  await sql`
    insert into index_address (chain, address, requested_at, followed, gap_from, gap_to, transactions)
    select 1, decode(lpad(to_hex(row), 40, '0'), 'hex'), ${now} - 1000 * (row % 100), row % 1000 > 0, 0,
      case when row % 100 = 0 then 50 end, row % 500
    from generate_series(1, ${rows}::int) as row`.execute(database.kysely)
  await sql`
    insert into index_transaction (chain, block, position, hash, mined_at, sender, receiver, value, nonce, succeeded)
    select 1, row, 0, '', row, ${address}::bytea, ${address}::bytea, 0, 0, true
    from generate_series(1, ${rows}::int) as row`.execute(database.kysely)
  await sql`
    insert into index_transfer (chain, block, position, ordinal, kind, token, sender, receiver, amount)
    select 1, row, 0, 0, 1, '', ${address}::bytea, ${address}::bytea, 1
    from generate_series(1, ${rows}::int) as row`.execute(database.kysely)
  await sql`
    insert into index_activity (chain, address, mined_at, block, position)
    select 1, decode(lpad(to_hex(row % 1000), 40, '0'), 'hex'), row, row, 0
    from generate_series(1, ${rows}::int) as row`.execute(database.kysely)
  await sql`vacuum analyze index_address, index_transaction, index_transfer, index_activity`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

type PlanNode = { 'Node Type': string; 'Relation Name'?: string; Plans?: readonly PlanNode[] }

/** The tables that a statement reads from beginning to end. */
async function listScannedTables(name: string, text: string, values: readonly unknown[]): Promise<readonly string[]> {
  type Row = { 'QUERY PLAN': readonly [{ Plan: PlanNode }] }
  const found = await database.run<Row>(`plan-${name}`, `explain (format json) ${text}`, values)
  const flatten = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
  const root = found[0]?.['QUERY PLAN'][0].Plan
  const nodes = root === undefined ? [] : flatten(root)
  expect(nodes.length).toBeGreaterThan(0)
  return nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .flatMap((node) => node['Relation Name'] ?? [])
    .filter((table) => table !== 'index_chain')
}

test.each<[string, string, readonly unknown[]]>([
  ['a request for an address', addressStatements.requestAddress, [1, address, now, 100_000]],
  ['following new addresses', addressStatements.admitAddresses, [1, 0, 0]],
  ['the next gaps', addressStatements.listGaps, [1, now, 400, 4]],
  ['expired addresses', maintenanceStatements.listExpired, [1, now - 98_500, 20]],
  ['large addresses', maintenanceStatements.listLarge, [1, 498, 20]],
  ['the limit of a large address', historyStatements.trimAddress, [1, 0, address, 10, 0]],
  ['deleting transactions of an address', historyStatements.deleteRows, [1, 0, address, rows, 1_000]],
])('%s reads no table from beginning to end', async (name, text, values) => {
  expect(await listScannedTables(name, text, values)).toEqual([])
})
