import { addresses, startChains, waitUntilMined, type LocalChains } from '@latchkey/devnet'
import Fastify from 'fastify'
import { createTestClient, encodeFunctionData, http, parseAbi, publicActions, walletActions, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChainRpc, type ChainRpc } from '../kit/chain/chainRpc.ts'
import { systemClock } from '../kit/runtime/clock.ts'
import { createEndpointPool } from '../kit/chain/endpointPool.ts'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { migrate } from '../kit/database/migrations.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { transferKinds } from './block.ts'
import { followChain, type ChainIndexer } from './followChain.ts'
import { indexerMigrations } from '../schema/indexerMigrations.ts'
import { InvalidBlockError } from './parseBlock.ts'
import { createPostgresHistory } from './history/createPostgresHistory.ts'
import { createIndexStore } from './indexStore.ts'

const { log } = Fastify({ logger: false })
const abi = parseAbi(['function transfer(address to, uint256 amount)', 'function mint(address to)'])
const [alice, bob, carol] = addresses
const never = new AbortController().signal

let world: LocalChains
let place: TestPostgres
let database: Database
let caip: string
let counter = 0

beforeAll(async () => {
  world = await startChains()
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, log)
  await migrate(database.kysely, indexerMigrations, 'indexer')
})
afterAll(async () => {
  await database.close()
  await place.close()
  await world.close()
})

const getChain = (): LocalChains['chains'][0] => world.chains[0]
const createNodeClient = () =>
  createTestClient({ mode: 'anvil', account: alice, transport: http(getChain().rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)

let snapshot: Hex
// Each test has an index of its own: the same chain under another name.
beforeEach(async () => {
  caip = `eip155:31337-${(counter += 1)}`
  snapshot = await createNodeClient().snapshot()
})
afterEach(() => createNodeClient().revert({ id: snapshot }))

function createTestIndexer(
  rpc: ChainRpc = createChainRpc(createEndpointPool([getChain().rpcUrl], systemClock)),
  maxBlocksPerFetch = 3,
): ChainIndexer {
  const stores = { store: createIndexStore(database), history: createPostgresHistory(database) }
  return followChain({ caip, rpc, ...stores, log, first: 0, changed: () => {}, maxBlocksPerFetch })
}

async function send(to: Hex, data?: Hex, value = 0n): Promise<Hex> {
  const hash = await createNodeClient().sendTransaction({ chain: null, to, data, value })
  await waitUntilMined(createNodeClient(), hash)
  return hash
}

const sendToken = (to: Hex, amount: bigint): Promise<Hex> =>
  send(getTokenAddress(), encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }))

const getTokenAddress = (): Hex => getChain().tokens[0]?.address ?? '0x'

/** Counts the index's rows of the chain. */
async function countIndexed(): Promise<Record<string, number>> {
  const [row] = await database.run<Record<string, number>>(
    'test-count',
    `select (select head from index_chain where caip = $1) as head,
      (select count(*) from index_block join index_chain using (chain) where caip = $1) as blocks,
      (select count(*) from index_transaction join index_chain using (chain) where caip = $1) as transactions,
      (select count(*) from index_transfer join index_chain using (chain) where caip = $1) as transfers,
      (select count(*) from index_activity join index_chain using (chain) where caip = $1) as activities`,
    [caip],
  )
  return row ?? {}
}

/** Counts the same on the chain itself. */
async function countOnChain(): Promise<{ head: number; blocks: number; transactions: number }> {
  const head = Number(await createNodeClient().getBlockNumber({ cacheTime: 0 }))
  const sizes = await Promise.all(
    Array.from({ length: head + 1 }, (_, number) =>
      createNodeClient().getBlockTransactionCount({ blockNumber: BigInt(number) }),
    ),
  )
  return { head, blocks: head + 1, transactions: sizes.reduce((sum, size) => sum + size, 0) }
}

type Row = { kind: number; sender: string; receiver: string; amount: string; token_id: string | null }

async function transfersOf(hash: Hex): Promise<readonly Row[]> {
  return database.run<Row>(
    'test-transfers',
    `select kind, '0x' || encode(transfer.sender, 'hex') as sender, '0x' || encode(transfer.receiver, 'hex') as receiver,
      amount::text, token_id::text
     from index_transfer as transfer join index_transaction as own using (chain, block, position) join index_chain using (chain)
     where caip = $1 and own.hash = decode($2, 'hex') order by ordinal`,
    [caip, hash.slice(2)],
  )
}

test('index contains every block once, with its transfers', async () => {
  const native = await send(bob, undefined, 5n)
  const tokens = await sendToken(carol, 7n)
  const key = await send(
    getChain().collections[0]?.address ?? '0x',
    encodeFunctionData({ abi, functionName: 'mint', args: [bob] }),
  )
  await createTestIndexer().catchUp(never)
  await createTestIndexer().catchUp(never)
  expect(await countIndexed()).toMatchObject(await countOnChain())
  const plain = { token_id: null, sender: alice.toLowerCase() }
  expect(await transfersOf(native)).toEqual([
    { ...plain, kind: transferKinds.native, receiver: bob.toLowerCase(), amount: '5' },
  ])
  expect(await transfersOf(tokens)).toEqual([
    { ...plain, kind: transferKinds.erc20, receiver: carol.toLowerCase(), amount: '7' },
  ])
  expect(await transfersOf(key)).toMatchObject([
    { kind: transferKinds.erc721, receiver: bob.toLowerCase(), amount: '1' },
  ])
})

test('index stores a failed transaction without transfers', async () => {
  const before = await createNodeClient().getBlockNumber({ cacheTime: 0 })
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [bob, 10n ** 30n] })
  const hash = await createNodeClient().sendTransaction({ chain: null, to: getTokenAddress(), data, gas: 100_000n })
  await waitUntilMined(createNodeClient(), hash)
  await createTestIndexer().catchUp(never)
  expect(await transfersOf(hash)).toEqual([])
  expect((await countIndexed())['head']).toBe(Number(before) + 1)
})

test('index rewinds to the common block after a reorg of 20 blocks', { tags: 'faults' }, async () => {
  const fork = await createNodeClient().snapshot()
  for (let each = 0; each < 20; each += 1) await sendToken(bob, 1n)
  const gone = await sendToken(bob, 2n)
  const follow = createTestIndexer()
  await follow.catchUp(never)
  await createNodeClient().revert({ id: fork })
  for (let each = 0; each < 22; each += 1) await send(carol, undefined, BigInt(each + 1))
  for (let look = 0; look < 3; look += 1) await follow.catchUp(never)
  expect(await transfersOf(gone)).toEqual([])
  expect(await countIndexed()).toMatchObject(await countOnChain())
})

test('index rewinds if the new branch is shorter or equally long', async () => {
  const fork = await createNodeClient().snapshot()
  for (let each = 0; each < 4; each += 1) await sendToken(bob, 1n)
  const follow = createTestIndexer()
  await follow.catchUp(never)
  await createNodeClient().revert({ id: fork })
  for (let each = 0; each < 2; each += 1) await send(carol, undefined, 3n)
  for (let look = 0; look < 2; look += 1) await follow.catchUp(never)
  expect(await countIndexed()).toMatchObject(await countOnChain())
})

test('index is unchanged if a node lags behind', async () => {
  await sendToken(bob, 1n)
  const rpc = createChainRpc(createEndpointPool([getChain().rpcUrl], systemClock))
  await createTestIndexer(rpc).catchUp(never)
  const before = await countIndexed()
  const behind: ChainRpc = {
    ...rpc,
    batch: (calls) =>
      rpc.batch(calls.map(([method, params]) => [method, params[0] === 'latest' ? ['0x1', false] : params])),
  }
  await createTestIndexer(behind).catchUp(never)
  expect(await countIndexed()).toEqual(before)
})

test('index has no gaps or duplicates after a stop at any request, or with two indexers at once', async () => {
  for (let each = 0; each < 8; each += 1) await sendToken(each % 2 === 0 ? bob : carol, 1n)
  const rpc = createChainRpc(createEndpointPool([getChain().rpcUrl], systemClock))
  for (let stop = 1; stop <= 6; stop += 1) {
    let left = stop
    const dying: ChainRpc = {
      ...rpc,
      settle: (calls) => {
        if (left === 0) return Promise.reject(new Error('killed'))
        left -= 1
        return rpc.settle(calls)
      },
    }
    await Promise.allSettled([createTestIndexer(dying, 2).catchUp(never), createTestIndexer(dying, 3).catchUp(never)])
  }
  await Promise.all([createTestIndexer().catchUp(never), createTestIndexer(rpc, 2).catchUp(never)])
  await createTestIndexer().catchUp(never)
  expect(await countIndexed()).toMatchObject(await countOnChain())
})

test.each<[string, unknown]>([
  ['another block', { number: '0x1' }],
  ['no block', null],
  ['a block of nonsense', { number: '0x0', hash: 'x', transactions: 3 }],
])('index rejects a node that returns %s', async (_what, response) => {
  const rpc = createChainRpc(createEndpointPool([getChain().rpcUrl], systemClock))
  const lying: ChainRpc = {
    ...rpc,
    settle: async (calls) => {
      const results = await rpc.settle(calls)
      return results.map((result, at) => (at % 2 === 0 ? response : result))
    },
  }
  await expect(createTestIndexer(lying).catchUp(never)).rejects.toBeInstanceOf(InvalidBlockError)
  expect((await countIndexed())['blocks']).toBe(0)
})
