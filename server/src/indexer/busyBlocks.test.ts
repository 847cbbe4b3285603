import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChainRpc } from '../kit/chain/chainRpc.ts'
import { createEndpointPool } from '../kit/chain/endpointPool.ts'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { migrate } from '../kit/database/migrations.ts'
import { systemClock } from '../kit/runtime/clock.ts'
import { indexerMigrations } from '../schema/indexerMigrations.ts'
import { startBusyChain, type BusyChain, type BusyChainOptions } from '../testing/busyChain.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { followChain, type ChainIndexer } from './followChain.ts'
import { createPostgresHistory } from './history/createPostgresHistory.ts'
import { createIndexStore } from './indexStore.ts'

const { log } = Fastify({ logger: false })
const never = new AbortController().signal
const head = 60

let place: TestPostgres
let database: Database
let chain: BusyChain
let counter = 0
let caip: string

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await migrate(database.kysely, indexerMigrations, 'indexer')
})
afterAll(async () => {
  await database.close()
  await place.close()
})
beforeEach(() => {
  caip = `eip155:1-${(counter += 1)}`
})
afterEach(() => chain.close())

async function startTestIndexer(options: Partial<BusyChainOptions> = {}): Promise<ChainIndexer> {
  chain = await startBusyChain({ head, ...options })
  const rpc = createChainRpc(createEndpointPool([chain.url], systemClock))
  const stores = { store: createIndexStore(database), history: createPostgresHistory(database) }
  return followChain({ caip, rpc, ...stores, log, first: 1, changed: () => {} })
}

const listDownloadCounts = (): readonly number[] => [...new Set(chain.downloads().values())]

test(
  'index stores blocks of 170 transactions although 40 of them exceed the limit of a response',
  { tags: 'faults' },
  async () => {
    const follow = await startTestIndexer()
    expect(await follow.catchUp(never)).toEqual({ target: head, head })
    expect(chain.downloads().size).toBe(head)
    expect(listDownloadCounts()).toEqual([1])
  },
)

test('index stores blocks behind an endpoint that refuses large batches', async () => {
  const follow = await startTestIndexer({ transactions: 2, maxBatch: 6 })
  expect(await follow.catchUp(never)).toEqual({ target: head, head })
  expect(listDownloadCounts()).toEqual([1])
})

test('index stores a single block that is larger than the limit of a response', { tags: 'faults' }, async () => {
  const follow = await startTestIndexer({ head: 3, transactions: 6_000 })
  expect(await follow.catchUp(never)).toEqual({ target: 3, head: 3 })
})
