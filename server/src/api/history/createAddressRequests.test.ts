import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createIndexedChains } from '../../indexer/indexedChains.ts'
import type { Hex } from '../../indexer/block.ts'
import { createIndexStore } from '../../indexer/indexStore.ts'
import { publishIndexUpdate } from '../../indexer/indexUpdates.ts'
import { onAddressRequest } from '../../indexer/requested/addressRequests.ts'
import { createAddressStore, type AddressStore } from '../../indexer/requested/createAddressStore.ts'
import { createInProcessBus, type Bus } from '../../kit/bus/bus.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createAddressRequests, type AddressRequests } from './createAddressRequests.ts'

const { log } = Fastify({ logger: false })
const clock = { now: () => 1_000_000 }
const maxAddresses = 40
const concurrentTasks = 10

let place: TestPostgres
let database: Database
let bus: Bus
let caip: string
let counter = 0

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
  caip = `eip155:${(counter += 1)}`
  bus = createInProcessBus()
})

async function open({
  perClient = 1_000,
  perProject = 10_000,
  addresses = createAddressStore(database),
} = {}): Promise<AddressRequests> {
  const { chain } = await createIndexStore(database).open(caip, 0)
  const rpc = { batch: async () => [], tryBatch: async () => [], settle: async () => [] }
  const native = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const limiters = createInProcessRateLimiters(clock)
  return createAddressRequests({
    indexed: createIndexedChains([{ chain, caip, native, tokens: [], rpc, requested: { from: 0, maxAddresses } }]),
    addresses,
    bus,
    clock,
    limiters: {
      client: limiters.create('client', { perSecond: 0.01, burst: perClient }),
      project: limiters.create('project', { perSecond: 0.01, burst: perProject }),
    },
  })
}

const addressOf = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`
const noteRequest = (requests: AddressRequests, address: number, client = 'a', project = 'p'): Promise<void> =>
  requests.note([{ caipNetworkId: caip }], addressOf(address), { client, project })

async function countAddresses(): Promise<{ rows: number; counted: number }> {
  const [row] = await database.run<{ rows: number; counted: number }>(
    'test-count-addresses',
    `select (select count(*)::int from index_address where index_address.chain = index_chain.chain) as rows,
      addresses as counted from index_chain where caip = $1`,
    [caip],
  )
  return row ?? { rows: -1, counted: -1 }
}

/** The statuses of the rejected requests, by their number. */
function countStatuses(results: readonly PromiseSettledResult<void>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const each of results) {
    const status = each.status === 'fulfilled' ? 'ok' : String((each.reason as { status?: number }).status)
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

/** Runs tasks, a few at a time. */
async function settleAll(tasks: readonly (() => Promise<void>)[]): Promise<readonly PromiseSettledResult<void>[]> {
  const results: PromiseSettledResult<void>[] = []
  for (let start = 0; start < tasks.length; start += concurrentTasks) {
    const some = tasks.slice(start, start + concurrentTasks)
    results.push(...(await Promise.allSettled(some.map((task) => task()))))
  }
  return results
}

const listNumbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

test('a client that requests hundreds of addresses adds no more than its limit', async () => {
  const requests = await open({ perClient: 15 })
  const results = await settleAll(listNumbers(400).map((each) => () => noteRequest(requests, each)))
  expect(countStatuses(results)).toEqual({ ok: 15, 429: 385 })
  expect(await countAddresses()).toEqual({ rows: 15, counted: 15 })
})

test('many clients of one project add no more than the limit of the project', async () => {
  const requests = await open({ perProject: 12 })
  const results = await settleAll(listNumbers(300).map((each) => () => noteRequest(requests, each, `client ${each}`)))
  expect(countStatuses(results)).toEqual({ ok: 12, 429: 288 })
  expect((await countAddresses()).rows).toBe(12)
})

test('many clients of many projects add no more than the chain has room for', async () => {
  const requests = await open()
  const results = await settleAll(
    listNumbers(300).map((each) => () => noteRequest(requests, each, `client ${each}`, `project ${each}`)),
  )
  expect(countStatuses(results)).toEqual({ ok: maxAddresses, 503: 300 - maxAddresses })
  expect(await countAddresses()).toEqual({ rows: maxAddresses, counted: maxAddresses })
})

test('repeated and concurrent requests for an address add it once, and count once against the limit', async () => {
  const requests = await open({ perClient: 2 })
  let wakes = 0
  onAddressRequest(bus, caip, () => (wakes += 1))
  await noteRequest(requests, 1)
  for (let each = 0; each < 50; each += 1) await noteRequest(requests, 1)
  await noteRequest(requests, 2)
  expect(await countAddresses()).toEqual({ rows: 2, counted: 2 })
  expect(wakes).toBe(2)
})

test('a known address is noted without a limit after a restart', async () => {
  await noteRequest(await open(), 1)
  const restarted = await open({ perClient: 0 })
  await expect(noteRequest(restarted, 1)).resolves.toBeUndefined()
  await expect(noteRequest(restarted, 2)).rejects.toMatchObject({ status: 429 })
})

test('the limit of a project counts all spellings of its id together', async () => {
  const requests = await open({ perProject: 2 })
  const results = await settleAll(
    ['abcd', 'ABCD', 'aBcD', 'AbCd'].map((project, index) => () => noteRequest(requests, index + 1, 'a', project)),
  )
  expect(countStatuses(results)).toEqual({ ok: 2, 429: 2 })
})

/** A store that counts how often requests ask it. */
function countLooks() {
  const store = createAddressStore(database)
  const looks = { find: 0, touch: 0 }
  const addresses: AddressStore = {
    ...store,
    find(chains, address) {
      looks.find += 1
      return store.find(chains, address)
    },
    touch(chains, address, now) {
      looks.touch += 1
      return store.touch(chains, address, now)
    },
  }
  return { addresses, looks }
}

/** Indexes the oldest page of the addresses that were requested. */
async function indexAddresses(): Promise<readonly Hex[]> {
  const store = createIndexStore(database)
  const addresses = createAddressStore(database)
  const { chain } = await store.open(caip, 0)
  const term = (await store.lead(chain, 'process', clock.now(), clock.now() + 10_000)) ?? -1
  const admitted = await addresses.admit({ chain, term }, 0)
  publishIndexUpdate(bus, { chain: caip, concerned: admitted, head: 0 })
  return admitted
}

test('a request does not wait for an address whose gap no source can fill now', async () => {
  const { addresses, looks } = countLooks()
  const requests = await open({ addresses })
  await noteRequest(requests, 1)
  const store = createIndexStore(database)
  const { chain } = await store.open(caip, 0)
  const term = (await store.lead(chain, 'process', clock.now(), clock.now() + 10_000)) ?? -1
  await addresses.jump({ chain, term }, { from: -1, to: 100 })
  const [address] = await addresses.admit({ chain, term }, 0)
  if (address === undefined) throw new Error('The address was not admitted.')
  await addresses.postpone({ chain, term }, address, clock.now() + 60_000)
  await requests.untilIndexed([{ caipNetworkId: caip }], address)
  // A request that waits looks again.
  expect(looks.find).toBe(1)
  const state = (await addresses.find([chain], address)).get(chain)
  expect(state).toMatchObject({ isFollowed: true, pages: 0, gapTo: 100, retryAt: clock.now() + 60_000 })
})

test('a request that waits for an address that is not indexed asks the database at most four times', async () => {
  const { addresses, looks } = countLooks()
  const requests = await open({ addresses })
  await noteRequest(requests, 1)
  await requests.untilIndexed([{ caipNetworkId: caip }], addressOf(1))
  expect(looks.find).toBeGreaterThan(1)
  expect(looks.find).toBeLessThanOrEqual(4)
})

test('hundred requests that wait for an address continue when the index reports it, and ask the database twice', async () => {
  const { addresses, looks } = countLooks()
  const requests = await open({ addresses })
  await noteRequest(requests, 1)
  const chains = [{ caipNetworkId: caip }]
  const waiting = Array.from({ length: 100 }, () => requests.untilIndexed(chains, addressOf(1)))
  await indexAddresses()
  await Promise.all(waiting)
  expect(looks.find).toBeLessThanOrEqual(2)
})

test('a request for an address that was indexed before does not wait, and does not ask the database again', async () => {
  await noteRequest(await open(), 1)
  await indexAddresses()
  const { addresses, looks } = countLooks()
  const restarted = await open({ addresses })
  for (let each = 0; each < 10; each += 1) {
    await noteRequest(restarted, 1)
    await restarted.untilIndexed([{ caipNetworkId: caip }], addressOf(1))
  }
  expect(looks).toEqual({ find: 0, touch: 1 })
})
