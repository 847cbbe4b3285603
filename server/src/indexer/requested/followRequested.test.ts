import { sql } from 'kysely'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { startTransferChain, type TransferChain } from '../../testing/transferChain.ts'
import type { Hex } from '../block.ts'
import type { ChainIndexer } from '../followChain.ts'
import { createPostgresHistory } from '../history/createPostgresHistory.ts'
import type { HistoryStore } from '../history/historyStore.ts'
import { createIndexStore, type IndexStore } from '../indexStore.ts'
import { createAddressStore, type AddressStore } from './createAddressStore.ts'
import { createRequestedIndexer, type RequestedIndexerDependencies } from './createRequestedIndexer.ts'
import type { TransactionReference } from './createLogRequests.ts'
import { SourceBusyError } from './transactionFinder.ts'

const { log } = Fastify({ logger: false })
const never = new AbortController().signal
const [alice, bob]: readonly [Hex, Hex] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const dayMs = 24 * 60 * 60 * 1_000

let chain: TransferChain
let place: TestPostgres
let database: Database
let store: IndexStore
let addresses: AddressStore
let history: HistoryStore
let caip: string
let counter = 0
let now = 0
let snapshot: Hex

beforeAll(async () => {
  chain = await startTransferChain()
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await migrate(database.kysely, indexerMigrations, 'indexer')
  store = createIndexStore(database)
  addresses = createAddressStore(database)
  history = createPostgresHistory(database)
})
afterAll(async () => {
  await database.close()
  await place.close()
  await chain.close()
})
// Each test has an index of its own: the same chain under another name.
beforeEach(async () => {
  caip = `eip155:31337-${(counter += 1)}`
  now = 1_000 * dayMs
  snapshot = await chain.snapshot()
})
afterEach(() => chain.revert(snapshot))

function createTestIndexer(options: Partial<RequestedIndexerDependencies> = {}): ChainIndexer {
  return createRequestedIndexer({
    caip,
    rpc: chain.rpc,
    store,
    addresses,
    history,
    database,
    log,
    first: 0,
    // The time of filling gaps does not pass in a test.
    clock: { now: () => now },
    maxTransactions: 1_000,
    provider: undefined,
    changed: () => undefined,
    progressed: () => undefined,
    hasMore: () => undefined,
    ...options,
  })
}

async function request(address: Hex, maxAddresses = 100): Promise<string> {
  const { chain: number } = await store.open(caip, 0)
  return addresses.request(number, address, { now, maxAddresses })
}

/** The hashes of the indexed transactions of an address, newest first. */
async function historyOf(address: Hex): Promise<readonly string[]> {
  const rows = await database.run<{ hash: string }>(
    'test-history',
    `select '0x' || encode(hash, 'hex') as hash from index_activity
     join index_chain using (chain) join index_transaction using (chain, block, position)
     where caip = $1 and address = decode($2, 'hex') order by block desc, position desc`,
    [caip, address.slice(2)],
  )
  return rows.map(({ hash }) => hash)
}

async function countRows(): Promise<{ transactions: number; transfers: number; activities: number; holdings: number }> {
  const count = (table: string): string =>
    `(select count(*)::int from ${table} join index_chain using (chain) where caip = $1)`
  const [row] = await database.run<Awaited<ReturnType<typeof countRows>>>(
    'test-count-requested',
    `select ${count('index_transaction')} as transactions, ${count('index_transfer')} as transfers,
      ${count('index_activity')} as activities, ${count('index_holding')} as holdings`,
    [caip],
  )
  return row ?? { transactions: -1, transfers: -1, activities: -1, holdings: -1 }
}

async function countLockWaits(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.kysely)
  return rows[0]?.waiting ?? 0
}

const listHashes = (references: readonly TransactionReference[]): readonly string[] =>
  references.map(({ hash }) => hash)

test('a chain without requested addresses stores nothing and downloads no block', async () => {
  await chain.pay(alice)
  const methods: string[] = []
  const rpc = {
    ...chain.rpc,
    settle: (requests: Parameters<typeof chain.rpc.settle>[0]) => {
      methods.push(...requests.map(([method]) => method))
      return chain.rpc.settle(requests)
    },
  }
  const { head, target } = await createTestIndexer({ rpc }).catchUp(never)
  expect(head).toBe(target)
  expect(methods).toEqual([])
  expect(await countRows()).toEqual({ transactions: 0, transfers: 0, activities: 0, holdings: 0 })
})

test('new transactions of a requested address are indexed, and no others', async () => {
  await request(alice)
  const follow = createTestIndexer()
  await follow.catchUp(never)
  const sent = [await chain.pay(alice, 5n), await chain.sendToken(alice, 7n)]
  await chain.pay(bob)
  await chain.sendToken(bob)
  await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual(listHashes(sent).toReversed())
  expect(await countRows()).toEqual({ transactions: 2, transfers: 2, activities: 2, holdings: 1 })
})

test('an address that is requested while blocks are downloaded ahead misses no transaction', async () => {
  await request(alice)
  await createTestIndexer().catchUp(never)
  const sent: TransactionReference[] = []
  for (let each = 0; each < 6; each += 1) sent.push(await chain.pay(bob, BigInt(each + 1)))
  let downloads = 0
  let isAhead: () => void = () => undefined
  const ahead = new Promise<void>((resolve) => (isAhead = resolve))
  const rpc: typeof chain.rpc = {
    ...chain.rpc,
    async settle(requests, options) {
      const isFirst = (downloads += 1) === 1
      const results = await chain.rpc.settle(requests, options)
      if (downloads === 3) isAhead()
      // The first blocks arrive last, after the address was requested.
      if (isFirst) await ahead.then(() => request(bob))
      return results
    },
  }
  await createTestIndexer({ rpc }).catchUp(never)
  expect(await historyOf(bob)).toEqual(listHashes(sent).toReversed())
})

test('transactions before the first request are indexed from the newest to the oldest', async () => {
  const sent = [await chain.sendToken(alice), await chain.pay(alice), await chain.sendToken(alice)]
  const follow = createTestIndexer()
  await follow.catchUp(never)
  await request(alice)
  await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual(listHashes(sent).toReversed())
  const position = await store.open(caip, 0)
  expect((await addresses.find([position.chain], alice)).get(position.chain)).toMatchObject({ gapTo: null })
})

test('a transaction of two requested addresses is stored once, with the transfers of both', async () => {
  const sent = await chain.sendToken(alice)
  await request(alice)
  const follow = createTestIndexer()
  await follow.catchUp(never)
  await request(chain.sender)
  await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual([sent.hash])
  expect(await historyOf(chain.sender)).toContain(sent.hash)
  const onlySender = await historyOf(chain.sender)
  expect((await countRows()).transactions).toBe(onlySender.length)
})

test('blocks of a long interruption become a gap that is filled', async () => {
  await request(alice)
  const follow = createTestIndexer({ maxLag: 10 })
  await follow.catchUp(never)
  const missed = await chain.sendToken(alice)
  await chain.mine(20)
  const after = await chain.pay(alice)
  await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual([after.hash, missed.hash])
})

test('a reorg removes transactions of the old branch, and adds those of the new one', async () => {
  await request(alice)
  const follow = createTestIndexer()
  await follow.catchUp(never)
  const before = await chain.pay(alice)
  await follow.catchUp(never)
  const fork = await chain.snapshot()
  for (let each = 0; each < 5; each += 1) await chain.sendToken(alice, BigInt(each + 1))
  await follow.catchUp(never)
  await chain.revert(fork)
  const others = [await chain.pay(alice, 77n), await chain.pay(alice, 78n)]
  for (let look = 0; look < 3; look += 1) await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual([...listHashes(others).toReversed(), before.hash])
})

test.each([1, 3])('a reorg removes transactions that were found backwards in the newest %i blocks', async (depth) => {
  const follow = createTestIndexer()
  await follow.catchUp(never)
  const older = await chain.pay(alice)
  await chain.mine(5)
  const fork = await chain.snapshot()
  await chain.pay(alice, 5n)
  await chain.mine(depth - 1)
  await follow.catchUp(never)
  await request(alice)
  await follow.catchUp(never)
  expect(await historyOf(alice)).toHaveLength(2)
  await chain.revert(fork)
  await chain.pay(bob)
  await chain.mine(depth + 2)
  for (let look = 0; look < 3; look += 1) await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual([older.hash])
})

test('a process whose term is over follows no address and fills no gap', async () => {
  await chain.sendToken(alice)
  await request(alice)
  const { chain: number } = await store.open(caip, 0)
  const former = (await store.lead(number, 'former', 1, 10)) ?? -1
  await store.lead(number, 'present', 11, 20)
  expect(await addresses.admit({ chain: number, term: former }, 0)).toEqual([])
  const gap = { address: alice, from: 0, to: 10 }
  expect(await history.addFound({ chain: number, term: former }, gap, { blocks: [], below: 0 })).toBe(false)
  expect(await addresses.jump({ chain: number, term: former }, { from: -1, to: 10 })).toBe(false)
  await expect(createTestIndexer().catchUp(never, former)).rejects.toThrow('Another process')
})

test('an address without requests for 30 days is deleted, except transactions that others need', async () => {
  const shared = await chain.sendToken(alice)
  await request(alice)
  const follow = createTestIndexer({ everyMs: 0 })
  await follow.catchUp(never)
  now += 20 * dayMs
  await request(chain.sender)
  await follow.catchUp(never)
  now += 20 * dayMs
  await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual([])
  expect(await historyOf(chain.sender)).toContain(shared.hash)
  now += 20 * dayMs
  await follow.catchUp(never)
  expect(await countRows()).toEqual({ transactions: 0, transfers: 0, activities: 0, holdings: 0 })
  expect(await request(bob, 1)).toBe('added')
})

test('concurrent first requests for an address count once against the limit of the chain', async () => {
  const { chain: number } = await store.open(caip, 0)
  const race: Promise<string>[] = []
  // All requests have begun before the first one can count.
  await database.kysely.transaction().execute(async (transaction) => {
    await sql`select from index_chain where chain = ${number} for update`.execute(transaction)
    for (let each = 0; each < 3; each += 1) race.push(addresses.request(number, alice, { now, maxAddresses: 2 }))
    await expect.poll(countLockWaits).toBe(3)
  })
  expect((await Promise.all(race)).toSorted()).toEqual(['added', 'known', 'known'])
  expect(await request(bob, 2)).toBe('added')
  expect(await request(chain.sender, 2)).toBe('full')
})

test('the transactions of a busy address are limited to the newest', async () => {
  await request(alice)
  const follow = createTestIndexer({ maxTransactions: 4, everyMs: 0 })
  await follow.catchUp(never)
  const sent: TransactionReference[] = []
  for (let each = 0; each < 9; each += 1) sent.push(await chain.pay(alice, BigInt(each + 1)))
  await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual(listHashes(sent.slice(-4)).toReversed())
  // The gap of the deleted transactions is not filled again.
  await follow.catchUp(never)
  expect(await historyOf(alice)).toHaveLength(4)
})

test('a source that names a transaction of others does not change the history', async () => {
  const foreign = await chain.pay(bob)
  await request(alice)
  const lying = { find: async () => ({ references: [foreign], from: 0 }) }
  await createTestIndexer({ provider: lying }).catchUp(never)
  expect(await historyOf(alice)).toEqual([])
  expect((await countRows()).transactions).toBe(0)
})

test('the nodes are the source if the provider names a transaction that does not exist', async () => {
  const sent = await chain.sendToken(alice)
  await request(alice)
  const invented = { block: sent.block, hash: `0x${'77'.repeat(32)}` } as const
  await createTestIndexer({ provider: { find: async () => ({ references: [invented], from: 0 }) } }).catchUp(never)
  expect(await historyOf(alice)).toEqual([sent.hash])
})

test('the nodes are the source while the provider does not respond', async () => {
  const sent = await chain.sendToken(alice)
  await request(alice)
  const absent = { find: () => Promise.reject(new Error('away')) }
  await createTestIndexer({ provider: absent }).catchUp(never)
  expect(await historyOf(alice)).toEqual([sent.hash])
})

test('a page that a provider still loads is not taken from the nodes, and new blocks are indexed meanwhile', async () => {
  const old = await chain.sendToken(alice)
  // Without addresses, the index skips this block.
  await createTestIndexer().catchUp(never)
  await request(alice)
  let isBusy = true
  const busy = {
    find: async () => (isBusy ? Promise.reject(new SourceBusyError()) : { references: [old], from: 0 }),
  }
  const follow = createTestIndexer({ provider: busy })
  await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual([])
  const recent = await chain.pay(alice)
  await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual([recent.hash])
  isBusy = false
  now += 3_000
  await follow.catchUp(never)
  expect(await historyOf(alice)).toEqual([recent.hash, old.hash])
})

/** Responds to requests for the head with one far above the chain. */
function claimHead(number: number): typeof chain.rpc {
  return {
    ...chain.rpc,
    batch: async (requests) => {
      const results = await chain.rpc.batch(requests)
      const [[method, params] = []] = requests
      const isHead = method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === 'latest'
      return isHead ? [{ ...Object(results[0]), number: `0x${number.toString(16)}` }] : results
    },
  }
}

test('a node that claims a head above its blocks does not move the index', async () => {
  await request(alice)
  const { head } = await createTestIndexer().catchUp(never)
  await expect(createTestIndexer({ rpc: claimHead(9_000_000_000) }).catchUp(never)).rejects.toThrow('does not have')
  const sent = await chain.pay(alice)
  expect(await createTestIndexer().catchUp(never)).toEqual({ head: head + 1, target: head + 1 })
  expect(await historyOf(alice)).toEqual([sent.hash])
})

test('an index whose head is far above the chain for ten minutes continues at the head of the chain', async () => {
  await request(alice)
  const follow = createTestIndexer()
  const { head } = await follow.catchUp(never)
  const position = await store.open(caip, 0)
  await addresses.jump({ ...position, term: 0 }, { from: head, to: 9_000_000_000 })
  await expect(follow.catchUp(never)).rejects.toThrow('above the head')
  expect((await store.open(caip, 0)).head).toBe(9_000_000_000)
  const sent = await chain.pay(alice)
  now += 11 * 60_000
  await follow.catchUp(never)
  expect((await store.open(caip, 0)).head).toBe(head + 1)
  expect(await historyOf(alice)).toEqual([sent.hash])
})
