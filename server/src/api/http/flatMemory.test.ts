import type { TokenBalance } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { transferKinds, type Hex } from '../../indexer/block.ts'
import type { HistoryRow } from '../../indexer/history/historyStore.ts'
import { createIndexedChains } from '../../indexer/indexedChains.ts'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { createChainRpc } from '../../kit/chain/chainRpc.ts'
import { createEndpointPool } from '../../kit/chain/endpointPool.ts'
import { measureHeap } from '../../kit/cache/measureHeap.ts'
import { cacheBalances } from '../balances/cacheBalances.ts'
import type { BalanceSource } from '../balances/balanceSource.ts'
import { cacheHistory } from '../history/cacheHistory.ts'
import type { HistorySource } from '../history/historySource.ts'
import { createIndexHistory } from '../history/indexHistory.ts'
import { createIdentityLookup } from '../identity/identityLookup.ts'
import { createHeadCache } from '../rpc/headCache.ts'
import { createRpcCache } from '../rpc/rpcCache.ts'
import type { RpcRequest } from '../rpc/rpcPolicy.ts'

const mebibyte = 1024 * 1024
const maxBytes = 2 * mebibyte
const clock = { now: () => 1_000_000 }
const native = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const chain: Chain = { caipNetworkId: 'eip155:1', name: 'One', nativeCurrency: native, rpcUrls: [], tokens: [] }

/** Texts of nodes and databases come from JSON, and share no memory with each other. */
const parsed = <value>(value: value): value => JSON.parse(JSON.stringify(value)) as value
const toHex = (number: number, digits: number): Hex => `0x${number.toString(16).padStart(digits, '0')}`

/** Reads about an address, or other things that a client chooses, by their number. */
type Read = (index: number) => Promise<unknown> | void

/** Reads different addresses until a full cache would have been replaced twice, and measures the memory in use in between. */
async function measureReads(create: () => Read, count: number): Promise<{ full: number; growth: number }> {
  const readAll = async (read: Read, from: number): Promise<number> => {
    for (let each = from; each < from + count; each += 1) await read(each)
    return measureHeap()
  }
  // Compiled code takes memory, too.
  await readAll(create(), 0)
  const read = create()
  const empty = measureHeap()
  await readAll(read, 0)
  const full = await readAll(read, count)
  const end = await readAll(read, 2 * count)
  // The last read keeps the cache in use until here.
  await read(3 * count)
  return { full: full - empty, growth: end - full }
}

const place = { chain: 1, position: 0, minedAt: 1_000, created: null, succeeded: true, method: null, value: '1' }

/** A page of the index, with payments and transfers of tokens and NFTs. */
function toRows(account: Hex, count: number, transfers: number): readonly HistoryRow[] {
  return parsed(
    Array.from({ length: count }, (_row, index): HistoryRow => {
      const receiver = toHex(index, 40)
      return {
        ...place,
        hash: toHex(index, 64),
        block: index,
        nonce: index,
        sender: account,
        receiver,
        transfers: Array.from({ length: transfers }, (_transfer, each) => {
          const kind = each === 0 ? transferKinds.native : transferKinds.erc20
          return {
            kind,
            token: toHex(each, 40),
            sender: account,
            receiver,
            tokenId: null,
            amount: '1000000000000000000',
          }
        }),
      } as HistoryRow
    }),
  )
}

function readHistories(transactions: number, transfers: number): () => Read {
  const rpc = createChainRpc(createEndpointPool([], clock))
  const indexed = createIndexedChains([
    { caip: 'eip155:1', chain: 1, native, tokens: [], rpc },
  ] as unknown as Parameters<typeof createIndexedChains>[0])
  const index = createIndexHistory({
    indexed,
    database: { run: async () => [] } as never,
    store: { page: async ({ account }: { account: Hex }) => toRows(account, transactions, transfers) } as never,
    tokens: { of: async () => new Map() },
    nfts: { of: async () => new Map(), pictureOf: async () => undefined },
  })
  return () => {
    const [source = index]: readonly HistorySource[] = cacheHistory([index], {
      bus: createInProcessBus(),
      clock,
      maxBytes,
    })
    return (each) => source.page({ chains: [chain], address: parsed(toHex(each, 40)), cursor: undefined, size: 50 })
  }
}

function readBalances(count: number): () => Read {
  const own: BalanceSource = {
    covers: () => true,
    balances: async () =>
      parsed(
        Array.from({ length: count }, (_, index): TokenBalance => {
          const address = `eip155:1:${toHex(index, 40)}`
          const quantity = { decimals: '18', numeric: `1.${index}` }
          return {
            name: `Token ${index}`,
            symbol: 'TOK',
            chainId: 'eip155:1',
            address,
            price: 1,
            quantity,
            iconUrl: '',
          }
        }),
      ),
  }
  return () => {
    const [source = own] = cacheBalances([own], { bus: createInProcessBus(), clock, maxBytes })
    return (each) => source.balances(chain, parsed(toHex(each, 40)))
  }
}

function readIdentities(letters: number): () => Read {
  const listIdentities = async (address: string) => parsed([{ name: `${address}.eth`, avatar: 'x'.repeat(letters) }])
  return () => {
    const lookup = createIdentityLookup({ sources: [{ listIdentities }], bus: createInProcessBus(), clock, maxBytes })
    return (each) => lookup.identity(toHex(each, 40))
  }
}

const toRequest = (method: string, ...params: readonly unknown[]): RpcRequest => ({
  id: 1,
  jsonrpc: '2.0',
  method,
  params: parsed(params),
})

function readTransactions(letters: number): () => Read {
  return () => {
    const cache = createRpcCache({ clock, bytes: maxBytes })
    cache.note('eip155:1', toRequest('eth_blockNumber'), '0xfffff')
    return (each) =>
      cache.note('eip155:1', toRequest('eth_getTransactionByHash', toHex(each, 64)), {
        blockNumber: '0x1',
        input: 'x'.repeat(letters),
      })
  }
}

function readFees(values: number, letters: number): () => Read {
  return () => {
    const cache = createHeadCache({ clock, bytes: maxBytes })
    return (each) => {
      const request = toRequest('eth_feeHistory', `0x${each.toString(16)}`, 'x'.repeat(letters))
      cache.note('eip155:1', request, parsed({ reward: Array.from({ length: values }, () => ['0x3b9aca00', '0x1']) }))
    }
  }
}

test.each<[string, () => Read, number]>([
  ['histories of new addresses, without transactions', readHistories(0, 0), 2_500],
  ['histories of one payment', readHistories(1, 1), 1_500],
  ['long histories with transfers of tokens', readHistories(50, 4), 20],
  ['balances of the native currency only', readBalances(1), 3_200],
  ['balances of many tokens', readBalances(50), 150],
  ['short names', readIdentities(20), 4_500],
  ['names with pictures of 100 kB', readIdentities(100_000), 30],
  ['small results of nodes', readTransactions(20), 5_500],
  ['large results of nodes', readTransactions(50_000), 40],
  ['results about the head, with parameters of 100 kB', readFees(1, 100_000), 30],
  ['histories of fees', readFees(2_000, 1), 30],
  ['histories of fees of a hundred thousand values', readFees(50_000, 1), 3],
])('the memory of a full cache stays flat and near its limit: %s', { tags: 'abuse' }, async (_what, create, count) => {
  const { full, growth } = await measureReads(create, count)
  expect(full / maxBytes).toBeLessThan(1.3)
  expect(growth / maxBytes).toBeLessThan(0.15)
})
