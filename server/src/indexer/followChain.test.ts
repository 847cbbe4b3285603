import { addresses, startChains, untilMined, type LocalChains } from '@latchkey/devnet'
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

const chain = (): LocalChains['chains'][0] => world.chains[0]
const node = () =>
  createTestClient({ mode: 'anvil', account: alice, transport: http(chain().rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)

let snapshot: Hex
// Each test has an index of its own: the same chain under another name.
beforeEach(async () => {
  caip = `eip155:31337-${(counter += 1)}`
  snapshot = await node().snapshot()
})
afterEach(() => node().revert({ id: snapshot }))

function indexer(
  rpc: ChainRpc = createChainRpc(createEndpointPool([chain().rpcUrl], systemClock)),
  maxBlocksPerFetch = 3,
): ChainIndexer {
  const stores = { store: createIndexStore(database), history: createPostgresHistory(database) }
  return followChain({ caip, rpc, ...stores, log, first: 0, changed: () => {}, maxBlocksPerFetch })
}

async function send(to: Hex, data?: Hex, value = 0n): Promise<Hex> {
  const hash = await node().sendTransaction({ chain: null, to, data, value })
  await untilMined(node(), hash)
  return hash
}

const sendToken = (to: Hex, amount: bigint): Promise<Hex> =>
  send(token(), encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }))

const token = (): Hex => chain().tokens[0]?.address ?? '0x'

/** Counts the index's rows of the chain. */
async function counted(): Promise<Record<string, number>> {
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
async function recounted(): Promise<{ head: number; blocks: number; transactions: number }> {
  const head = Number(await node().getBlockNumber({ cacheTime: 0 }))
  const sizes = await Promise.all(
    Array.from({ length: head + 1 }, (_, number) => node().getBlockTransactionCount({ blockNumber: BigInt(number) })),
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
    chain().collections[0]?.address ?? '0x',
    encodeFunctionData({ abi, functionName: 'mint', args: [bob] }),
  )
  await indexer().catchUp(never)
  await indexer().catchUp(never)
  expect(await counted()).toMatchObject(await recounted())
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
  const before = await node().getBlockNumber({ cacheTime: 0 })
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [bob, 10n ** 30n] })
  const hash = await node().sendTransaction({ chain: null, to: token(), data, gas: 100_000n })
  await untilMined(node(), hash)
  await indexer().catchUp(never)
  expect(await transfersOf(hash)).toEqual([])
  expect((await counted())['head']).toBe(Number(before) + 1)
})

test('index rewinds to the common block after a reorg of 20 blocks', { tags: 'faults' }, async () => {
  const fork = await node().snapshot()
  for (let each = 0; each < 20; each += 1) await sendToken(bob, 1n)
  const gone = await sendToken(bob, 2n)
  const follow = indexer()
  await follow.catchUp(never)
  await node().revert({ id: fork })
  for (let each = 0; each < 22; each += 1) await send(carol, undefined, BigInt(each + 1))
  for (let look = 0; look < 3; look += 1) await follow.catchUp(never)
  expect(await transfersOf(gone)).toEqual([])
  expect(await counted()).toMatchObject(await recounted())
})

test('index rewinds if the new branch is shorter or equally long', async () => {
  const fork = await node().snapshot()
  for (let each = 0; each < 4; each += 1) await sendToken(bob, 1n)
  const follow = indexer()
  await follow.catchUp(never)
  await node().revert({ id: fork })
  for (let each = 0; each < 2; each += 1) await send(carol, undefined, 3n)
  for (let look = 0; look < 2; look += 1) await follow.catchUp(never)
  expect(await counted()).toMatchObject(await recounted())
})

test('index is unchanged if a node lags behind', async () => {
  await sendToken(bob, 1n)
  const rpc = createChainRpc(createEndpointPool([chain().rpcUrl], systemClock))
  await indexer(rpc).catchUp(never)
  const before = await counted()
  const behind: ChainRpc = {
    ...rpc,
    batch: (calls) =>
      rpc.batch(calls.map(([method, params]) => [method, params[0] === 'latest' ? ['0x1', false] : params])),
  }
  await indexer(behind).catchUp(never)
  expect(await counted()).toEqual(before)
})

test('index has no gaps or duplicates after a stop at any request, or with two indexers at once', async () => {
  for (let each = 0; each < 8; each += 1) await sendToken(each % 2 === 0 ? bob : carol, 1n)
  const rpc = createChainRpc(createEndpointPool([chain().rpcUrl], systemClock))
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
    await Promise.allSettled([indexer(dying, 2).catchUp(never), indexer(dying, 3).catchUp(never)])
  }
  await Promise.all([indexer().catchUp(never), indexer(rpc, 2).catchUp(never)])
  await indexer().catchUp(never)
  expect(await counted()).toMatchObject(await recounted())
})

test.each<[string, unknown]>([
  ['another block', { number: '0x1' }],
  ['no block', null],
  ['a block of nonsense', { number: '0x0', hash: 'x', transactions: 3 }],
])('index rejects a node that returns %s', async (_what, response) => {
  const rpc = createChainRpc(createEndpointPool([chain().rpcUrl], systemClock))
  const lying: ChainRpc = {
    ...rpc,
    settle: async (calls) => {
      const results = await rpc.settle(calls)
      return results.map((result, at) => (at % 2 === 0 ? response : result))
    },
  }
  await expect(indexer(lying).catchUp(never)).rejects.toBeInstanceOf(InvalidBlockError)
  expect((await counted())['blocks']).toBe(0)
})
