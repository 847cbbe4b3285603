import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectClickHouse, type ClickHouse } from '../../kit/clickhouse/connectClickHouse.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createTestBlock, describeHistoryStore, testAccounts } from '../../testing/history/describeHistoryStore.ts'
import { startTestClickHouse, type TestClickHouse } from '../../testing/history/startTestClickHouse.ts'
import type { Block } from '../block.ts'
import { createIndexStore, type IndexPosition } from '../indexStore.ts'
import { createClickHouseHistory } from './createClickHouseHistory.ts'
import type { HistoryRow, HistoryStore } from './historyStore.ts'

const { log } = Fastify({ logger: false })
let engine: TestClickHouse

beforeAll(async () => {
  engine = await startTestClickHouse()
})
afterAll(() => engine.close())

describeHistoryStore('ClickHouse', async (database) => {
  const clickHouse = await connectClickHouse({ url: await engine.createDatabase(), clock: systemClock })
  return { history: await createClickHouseHistory({ clickHouse, database, log }), close: clickHouse.close }
})

describe('a writer that fails between ClickHouse and PostgreSQL', () => {
  let place: TestPostgres
  let database: Database
  let clickHouse: ClickHouse
  let history: HistoryStore
  let position: IndexPosition
  let counter = 0

  beforeAll(async () => {
    place = await createTestDatabase()
    database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
    await migrate(database.kysely, indexerMigrations, 'indexer')
    clickHouse = await connectClickHouse({ url: await engine.createDatabase(), clock: systemClock })
    history = await createClickHouseHistory({ clickHouse, database, log })
  })
  afterAll(async () => {
    await clickHouse.close()
    await database.close()
    await place.close()
  })
  beforeEach(async () => {
    const store = createIndexStore(database)
    position = await store.open(`eip155:${(counter += 1)}`, 0)
    position = { ...position, term: (await store.lead(position.chain, 'test', 1, 2)) ?? -1 }
  })

  /** Inserts rows, and fails before the head moves. */
  async function addAndFail(blocks: readonly Block[]): Promise<void> {
    const failing: Database = { ...database, run: () => Promise.reject(new Error('The connection broke.')) }
    const broken = await createClickHouseHistory({ clickHouse, database: failing, log })
    await expect(broken.add(position, blocks, { target: 9 })).rejects.toThrow('The connection broke.')
  }

  const list = (): Promise<readonly HistoryRow[]> =>
    history.page({ account: testAccounts.bob, chains: [position.chain], after: undefined, limit: 10 })

  async function countRows(): Promise<number> {
    const statement =
      'select count() as count from index_history where address = {address:String} and chain = {chain:UInt32}'
    const params = { address: testAccounts.bob, chain: position.chain }
    return (await clickHouse.select<{ count: number }>(statement, params))[0]?.count ?? -1
  }

  const branch = (name: string, count = 4): readonly Block[] =>
    Array.from({ length: count }, (_, number) => createTestBlock(number, [{}], name))

  test('leaves no visible row, and the same blocks are stored once afterwards', async () => {
    await addAndFail(branch('main'))
    expect(await list()).toEqual([])
    expect(await countRows()).toBe(4)
    expect(await history.add(position, branch('main'), { target: 3 })).toBe(true)
    expect(await list()).toHaveLength(4)
    await clickHouse.execute('optimize table index_history final')
    expect(await countRows()).toBe(4)
    expect(await list()).toHaveLength(4)
  })

  test('leaves no visible row of its branch after another branch was indexed', async () => {
    await addAndFail(branch('lost'))
    const blocks = branch('main')
    expect(await history.add(position, blocks, { target: 3 })).toBe(true)
    const rows = await list()
    expect(rows.map(({ hash }) => hash)).toEqual(blocks.map((each) => each.transactions[0]?.hash).toReversed())
    expect(await countRows()).toBe(8)
    const pages = await history.page({
      account: testAccounts.bob,
      chains: [position.chain],
      after: rows[0],
      limit: 1,
    })
    expect(pages).toEqual([rows[1]])
  })

  test('leaves no row of its branch once the hashes of the blocks are forgotten', async () => {
    await addAndFail(branch('lost'))
    await history.add(position, branch('main', 6), { target: 5 })
    await history.forgetHashes(position, 4)
    expect(await countRows()).toBe(6)
    expect(await list()).toHaveLength(6)
  })

  test('does not keep the rows of a reorg visible, although they could not be deleted', async () => {
    await history.add(position, branch('old'), { target: 3 })
    const execute: ClickHouse['execute'] = (statement) =>
      statement.includes('delete') ? Promise.reject(new Error('The table is read-only.')) : Promise.resolve()
    const readOnly = await createClickHouseHistory({ clickHouse: { ...clickHouse, execute }, database, log })
    expect(await readOnly.rewind({ ...position, head: 3 }, 1)).toBe(true)
    expect((await list()).map(({ block }) => block)).toEqual([1, 0])
    const next = [createTestBlock(2, [{}], 'new'), createTestBlock(3, [], 'new')]
    await history.add({ ...position, head: 1 }, next, { target: 3 })
    expect((await list()).map(({ hash }) => hash)[0]).toBe(next[0]?.transactions[0]?.hash)
    expect(await list()).toHaveLength(3)
  })

  test('adds nothing to a gap if the node has another block than the index', async () => {
    await history.add(position, branch('main'), { target: 3 })
    const found = { blocks: [createTestBlock(2, [{}], 'minority')], below: 0 }
    const gap = { address: testAccounts.bob, from: 0, to: 3 }
    await expect(history.addFound(position, gap, found)).rejects.toThrow('another block than the index')
    expect(await countRows()).toBe(4)
  })
})
