import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createInProcessBus } from '../kit/bus/bus.ts'
import type { Chain } from '../kit/chain/chains.ts'
import { createEndpointPools } from '../kit/chain/endpointPools.ts'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { systemClock } from '../kit/runtime/clock.ts'
import { startBusyChain, type BusyChain, type BusyChainOptions } from '../testing/busyChain.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { createPostgresHistory } from './history/createPostgresHistory.ts'
import { createIndexStore } from './indexStore.ts'
import { openIndexing, type Indexing } from './indexing.ts'

const { log } = Fastify({ logger: false })
const head = 30
const timing = { poll: 50, lease: 1_200, maxDelay: 100, shutdown: 2_000 }

let place: TestPostgres
let databases: readonly [Database, Database]
let chain: BusyChain
let opened: Indexing[]

beforeEach(async () => {
  place = await createTestDatabase()
  const location = { databaseUrl: place.url, dataDir: '' }
  databases = [await openDatabase(location, log), await openDatabase(location, log)]
  opened = []
})
afterEach(async () => {
  await Promise.all(opened.map((each) => each.close()))
  await Promise.all(databases.map((each) => each.close()))
  await chain.close()
  await place.close()
})

async function start(database: Database, logger: FastifyBaseLogger = log): Promise<Indexing> {
  const configured: Chain = {
    caipNetworkId: 'eip155:1',
    name: 'Busy',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [chain.url],
    tokens: [],
    index: { from: 1 },
  }
  const indexing = await openIndexing({
    chains: [configured],
    database,
    history: createPostgresHistory(database),
    bus: createInProcessBus(),
    pools: createEndpointPools(systemClock),
    clock: systemClock,
    log: logger,
    timing,
  })
  opened.push(indexing)
  indexing.begin()
  return indexing
}

/** A chain that takes longer to index than a lease lasts. */
const slow: BusyChainOptions = { head, transactions: 1, maxBatch: 4, beforeBlocks: () => sleep(200) }

test('two processes download each block once, although indexing outlasts the lease', async () => {
  chain = await startBusyChain(slow)
  const [first, second] = await Promise.all(databases.map((each) => start(each)))
  await expect.poll(() => first?.progress()[0]?.head).toBe(head)
  await expect.poll(() => second?.progress()[0]?.head).toBe(head)
  expect([...new Set(chain.downloads().values())]).toEqual([1])
})

test('progress shows the indexed blocks and the head of the chain while blocks are indexed', async () => {
  chain = await startBusyChain(slow)
  const indexing = await start(databases[0])
  await expect.poll(() => indexing.progress()[0]?.head, { interval: 20 }).toBeGreaterThan(0)
  const [progress] = indexing.progress()
  expect(progress).toMatchObject({ from: 1, target: head, failing: false })
  expect(progress?.head).toBeLessThan(head)
})

test('a process whose term is over stores and deletes no rows', async () => {
  chain = await startBusyChain(slow)
  await start(databases[0])
  const store = createIndexStore(databases[1])
  const history = createPostgresHistory(databases[1])
  const position = await store.open('eip155:5', 1)
  const former = await store.lead(position.chain, 'former', 1, 10)
  const present = await store.lead(position.chain, 'present', 11, 20)
  expect([former, present]).toEqual([1, 2])
  const block = {
    number: 1,
    hash: `0x${'1'.repeat(64)}`,
    parent: `0x${'0'.repeat(64)}`,
    minedAt: 0,
    transactions: [],
  } as const
  expect(await history.add({ ...position, term: 1 }, [block], { target: 1 })).toBe(false)
  expect(await history.add({ ...position, term: 2 }, [block], { target: 1 })).toBe(true)
  expect(await history.rewind({ ...position, term: 1 }, 0)).toBe(false)
  expect(await store.open('eip155:5', 1)).toMatchObject({ head: 1, term: 2 })
})

test('the log names the cause why a chain cannot be indexed', async () => {
  const reasons: unknown[] = []
  const lines = { write: (line: string) => void reasons.push((JSON.parse(line) as { reason?: unknown }).reason) }
  chain = await startBusyChain({ ...slow, maxBatch: 0, beforeBlocks: () => undefined })
  const indexing = await start(databases[0], Fastify({ logger: { level: 'warn', stream: lines } }).log)
  await expect.poll(() => indexing.progress()[0]?.failing).toBe(true)
  expect(reasons).toEqual(['eth_getBlockByNumber: more than 0 requests'])
})
