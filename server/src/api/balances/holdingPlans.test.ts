import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transferKinds } from '../../indexer/block.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { getNftCandidatesStatement } from '../nfts/heldNfts.ts'
import { getTokenCandidatesStatement } from './heldTokens.ts'

const { log } = Fastify({ logger: false })
const account = `\\x${'ab'.repeat(20)}`
const spamTokens = 50_000

let place: TestPostgres
let database: Database

/** An address that strangers sent many tokens and few NFTs. */
beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await migrate(database.kysely, indexerMigrations, 'indexer')
  await sql`
    insert into index_holding (address, chain, token, kind, token_id, block, signed)
    select ${account}::bytea, 1, decode(lpad(to_hex(row), 40, '0'), 'hex'), ${transferKinds.erc20}::smallint, 0, row, false
    from generate_series(1, ${spamTokens}::int) as row
    union all
    select ${account}::bytea, 1, decode(lpad(to_hex(row), 40, 'f'), 'hex'), ${transferKinds.erc721}::smallint, row, row, false
    from generate_series(1, 10) as row`.execute(database.kysely)
  await sql`vacuum analyze index_holding`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

type PlanNode = {
  'Node Type': string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: readonly PlanNode[]
}

/** Runs a statement, and returns the most rows that a node of its plan read. */
async function countReadRows(name: string, text: string, values: readonly unknown[]): Promise<number> {
  type Row = { 'QUERY PLAN': readonly [{ Plan: PlanNode }] }
  const rows = await database.run<Row>(name, `explain (analyze, format json) ${text}`, values)
  const flatten = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
  const root = rows[0]?.['QUERY PLAN'][0].Plan
  const nodes = root === undefined ? [] : flatten(root)
  return Math.max(...nodes.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)))
}

test('the tokens of an address with many spam tokens are read in their order, up to the limit', async () => {
  const { text, limit } = getTokenCandidatesStatement()
  expect(await countReadRows('plan-tokens', text, [account, 1])).toBeLessThanOrEqual(limit + 1)
})

test('a page of NFTs does not read the tokens of the address', async () => {
  const first = [-1, '\\x', -1, -1]
  const values = [account, [1], ...first, 51]
  expect(await countReadRows('plan-nfts', getNftCandidatesStatement(), values)).toBe(10)
})
