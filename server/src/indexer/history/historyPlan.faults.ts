import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectClickHouse, type ClickHouse } from '../../kit/clickhouse/connectClickHouse.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { startTestClickHouse, type TestClickHouse } from '../../testing/history/startTestClickHouse.ts'
import type { Hex } from '../block.ts'
import { createClickHouseHistory } from './createClickHouseHistory.ts'
import { createPostgresHistory } from './createPostgresHistory.ts'
import { getClickHousePageStatement } from './listHistoryPage.ts'
import type { HistoryRow, HistoryStore } from './historyStore.ts'

const { log } = Fastify({ logger: false })
/** One transaction a minute, on two chains in turn: 23 months. Every fifth is of one busy address. */
const rows = 1_000_000
const others = 20_000
const firstMinedAt = 1_640_995_200_000
const pageRows = 51
const pagesPerFigure = 100

let place: TestPostgres
let database: Database
let engine: TestClickHouse
let url: string
let clickHouse: ClickHouse
let stores: { PostgreSQL: HistoryStore; ClickHouse: HistoryStore }

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await migrate(database.kysely, indexerMigrations, 'indexer')
  engine = await startTestClickHouse()
  url = await engine.createDatabase()
  clickHouse = await connectClickHouse({ url, clock: systemClock })
  stores = {
    PostgreSQL: createPostgresHistory(database),
    ClickHouse: await createClickHouseHistory({ clickHouse, database, log }),
  }
  await fillPostgres()
  await fillClickHouse()
}, 1_200_000)
afterAll(async () => {
  await clickHouse.close()
  await engine.close()
  await database.close()
  await place.close()
})

const accountOf = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`
const busy = accountOf(1)

/** In parts, because a statement may take 15 seconds. */
async function fillPostgres(): Promise<void> {
  await sql`insert into index_chain (caip, first_block, head, target)
    values ('eip155:1', 0, ${rows}, ${rows}), ('eip155:2', 0, ${rows}, ${rows})`.execute(database.kysely)
  const part = 50_000
  for (let from = 0; from < rows; from += part) {
    const numbers = sql`(
      select row, 1 + row % 2 as chain, ${firstMinedAt}::bigint + 60000::bigint * row as mined_at,
        decode(lpad(to_hex(case when row % 5 = 0 then 1 else 2 + row % ${others}::int end), 40, '0'), 'hex') as account,
        decode(lpad(to_hex(row), 64, '0'), 'hex') as hash, decode(repeat('70', 20), 'hex') as token
      from generate_series(${from}::int, ${from + part - 1}::int) as row
    ) as numbers`
    await sql`insert into index_block (chain, block, hash) select chain, row, hash from ${numbers}`.execute(
      database.kysely,
    )
    await sql`insert into index_activity (chain, address, mined_at, block, position)
      select chain, account, mined_at, row, 0 from ${numbers}`.execute(database.kysely)
    await sql`insert into index_transaction (
        chain, block, position, hash, mined_at, sender, receiver, value, nonce, method, succeeded
      ) select chain, row, 0, hash, mined_at, account, token, 0, row, decode('a9059cbb', 'hex'), true from ${numbers}
    `.execute(database.kysely)
    await sql`insert into index_transfer (chain, block, position, ordinal, kind, token, sender, receiver, amount)
      select chain, row, 0, 0, 1, token, account, token, row from ${numbers}`.execute(database.kysely)
  }
  for (const table of ['index_block', 'index_activity', 'index_transaction', 'index_transfer']) {
    await sql`vacuum analyze ${sql.table(table)}`.execute(database.kysely)
  }
}

/** The same rows, in ten inserts, so that each month has several parts. */
async function fillClickHouse(): Promise<void> {
  const part = rows / 10
  const token = `0x${'70'.repeat(20)}`
  for (let from = 0; from < rows; from += part) {
    await clickHouse.execute(
      `insert into index_history
      with if(number % 5 = 0, 1, 2 + number % {others:UInt32}) as account,
        concat('0x', leftPad(lower(hex(account)), 40, '0')) as address,
        concat('0x', leftPad(lower(hex(number)), 64, '0')) as hash
      select address, 1 + number % 2, {first:Int64} + 60000 * number, number, 0, hash, hash, address, {token:String}, '',
        number, '0xa9059cbb', true, [(1, {token:String}, address, {token:String}, null, toString(number))]
      from numbers({from:UInt64}, {part:UInt64})`,
      { others, first: firstMinedAt, from, part, token },
    )
  }
}

const endParams = { minedAt: 999_999_999_999_999, chain: 0, block: 0, position: 0, hash: '', limit: pageRows }

type PlanNode = {
  'Node Type': string
  'Read Type'?: string
  Indexes?: readonly {
    Type: string
    'Initial Granules': number
    'Selected Granules': number
    'Selected Parts': number
  }[]
  Plans?: readonly PlanNode[]
}

/** Gets how a page reads the table, once per chain. */
async function explainPage(account: Hex, chains: readonly number[]): Promise<readonly PlanNode[]> {
  const params = { ...endParams, account, ...toChainParams(chains) }
  const statement = `explain json = 1, indexes = 1, actions = 1 ${getClickHousePageStatement(chains.length)}`
  const lines = await clickHouse.select<{ explain: string }>(statement, params)
  const [{ Plan: root }] = JSON.parse(lines.map(({ explain }) => explain).join('')) as [{ Plan: PlanNode }]
  const flatten = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
  return flatten(root).filter((node) => node['Node Type'] === 'ReadFromMergeTree')
}

const toChainParams = (chains: readonly number[]): Record<string, number> =>
  Object.fromEntries(chains.map((chain, index) => [`chain${index}`, chain]))

test.each([[[1]], [[1, 2]]])('a page on the chains %j reads one range of the primary key per part', async (chains) => {
  const scans = await explainPage(accountOf(777), chains)
  expect(scans).toHaveLength(chains.length)
  for (const { 'Read Type': readType, Indexes: indexes = [] } of scans) {
    const key = indexes.find(({ Type: type }) => type === 'PrimaryKey')
    expect(readType).toBe('InReverseOrder')
    expect(key?.['Initial Granules']).toBeGreaterThan(rows / 512)
    // The rows of an address are in one granule of a part, or on the border of two.
    expect(key?.['Selected Granules']).toBeLessThanOrEqual(2 * (key?.['Selected Parts'] ?? 0))
  }
})

test('a page of a busy address ends reading long before its last row', async () => {
  const before = await countSelectedRows()
  const params = { ...endParams, account: busy, chain0: 1 }
  expect(await clickHouse.select(getClickHousePageStatement(1), params)).toHaveLength(pageRows)
  const read = (await countSelectedRows()) - before
  console.log(`A page of a busy address read ${read} of ${rows / 10} rows.`)
  expect(read).toBeLessThan(rows / 40)
})

/** The number of rows that the engine has read from tables since its start. */
async function countSelectedRows(): Promise<number> {
  const statement = `select value from system.events where event = 'SelectedRows'`
  return (await clickHouse.select<{ value: number }>(statement, {}))[0]?.value ?? 0
}

test('both stores have the same pages; their times are printed', async () => {
  for (const account of [accountOf(2), accountOf(777), busy]) {
    const [first, second] = await Promise.all(Object.values(stores).map((history) => listTwoPages(history, account)))
    expect(first).toEqual(second)
  }
  for (const [account, what] of [
    [accountOf, 'an address with 40 transactions on two chains'],
    [() => busy, 'an address with 200,000 transactions on two chains'],
  ] as const) {
    for (const [store, history] of Object.entries(stores)) {
      console.log(`${store}, a page of ${what}: ${await measurePages(history, account)}`)
    }
  }
}, 1_200_000)

async function listTwoPages(history: HistoryStore, account: Hex): Promise<readonly HistoryRow[]> {
  const request = { account, chains: [1, 2], limit: 30 }
  const first = await history.page({ ...request, after: undefined })
  return [...first, ...(await history.page({ ...request, after: first.at(-1) }))]
}

/** Reads pages one after the other. */
async function measurePages(history: HistoryStore, accountAt: (number: number) => Hex): Promise<string> {
  const times: number[] = []
  for (let page = 0; page < pagesPerFigure; page += 1) {
    const account = accountAt(2 + ((page * 7_919) % others))
    const before = performance.now()
    await history.page({ account, chains: [1, 2], after: undefined, limit: pageRows })
    times.push(performance.now() - before)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.floor(share * pagesPerFigure)] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}
