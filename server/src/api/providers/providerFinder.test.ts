import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hex } from '../../indexer/block.ts'
import type { TransactionReference } from '../../indexer/requested/createLogRequests.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import { describeTransactionFinder, type KnownSource } from '../../testing/describeTransactionFinder.ts'
import { createProviderFinder } from './providerFinder.ts'

const clock = { now: () => 1_000_000 }
const account: Hex = `0x${'11'.repeat(20)}`
const other: Hex = `0x${'22'.repeat(20)}`
const perPage = 50

/** Two transactions in each of many blocks: a payment, and a transfer of a token. */
const transactions: readonly TransactionReference[] = Array.from({ length: 320 }, (_, index) => ({
  block: 100 + Math.floor(index / 2),
  hash: `0x${(index + 1).toString(16).padStart(64, '0')}`,
}))
const payments = transactions.filter((_, index) => index % 2 === 0).toReversed()
const transfers = transactions.filter((_, index) => index % 2 === 1).toReversed()

let server: Server
let url: string

/** A provider that responds from the lists as the APIs do, newest first and in pages. */
beforeAll(async () => {
  server = createServer(({ url: requested = '' }, response) => {
    const { pathname, searchParams } = new URL(requested, 'http://provider')
    const body = pathname.startsWith('/api/v2')
      ? respondLikeBlockscout(pathname, searchParams)
      : respondLikeEtherscan(searchParams)
    response.setHeader('connection', 'close').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

function respondLikeBlockscout(path: string, query: URLSearchParams): object {
  const below = Number(query.get('block_number') ?? Number.MAX_SAFE_INTEGER)
  const isPayments = path.endsWith('/transactions')
  const list = path.includes(account) ? (isPayments ? payments : transfers) : []
  const rest = list.filter(({ block }) => block < below)
  const items = rest.slice(0, perPage).map(({ block, hash }) => ({
    ...(isPayments ? { hash, value: '1' } : { transaction_hash: hash }),
    block_number: block,
    timestamp: '2026-01-01T00:00:00Z',
    from: { hash: account },
    to: { hash: other },
  }))
  return { items, next_page_params: rest.length > perPage ? { block_number: items.at(-1)?.block_number } : null }
}

function respondLikeEtherscan(query: URLSearchParams): object {
  const last = Number(query.get('endblock'))
  const lists: Readonly<Record<string, readonly TransactionReference[]>> = { txlist: payments, tokentx: transfers }
  const list = query.get('address') === account ? (lists[query.get('action') ?? ''] ?? []) : []
  const result = list
    .filter(({ block }) => block <= last)
    .slice(0, Number(query.get('offset')))
    .map(({ block, hash }) => ({ hash, blockNumber: String(block), timeStamp: '1767225600', from: account, to: other }))
  return { status: result.length > 0 ? '1' : '0', message: 'OK', result }
}

function createChain(providers: readonly DataProvider[]): Chain {
  return {
    caipNetworkId: 'eip155:100',
    name: 'Gnosis',
    nativeCurrency: { name: 'xDai', symbol: 'XDAI', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:1'],
    tokens: [],
    providers,
  }
}

async function open(kind: 'blockscout' | 'etherscan'): Promise<KnownSource> {
  const finder = createProviderFinder(createChain([{ kind, url }]), clock)
  if (finder === undefined) throw new Error('The chain has no provider.')
  return { finder, address: account, transactions, range: { from: 0, to: 500 } }
}

describeTransactionFinder('Blockscout', () => open('blockscout'))
describeTransactionFinder('Etherscan', () => open('etherscan'))

test('createProviderFinder returns undefined without a supported provider', () => {
  const goldrush: DataProvider = { kind: 'goldrush', network: 'gnosis-mainnet', key: 'key' }
  expect(createProviderFinder(createChain([goldrush]), clock)).toBeUndefined()
})

test('a provider that does not respond costs the index a limited time, twice a minute', async () => {
  let requests = 0
  const silent = createServer(() => (requests += 1))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  let now = 1_000_000
  // A server that listens on a port has an address of this form.
  const place = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const finder = createProviderFinder(createChain([{ kind: 'blockscout', url: place }]), { now: () => now }, 50)
  const find = async () => finder?.find(account, { from: 0, to: 500 })
  await expect(find()).rejects.toThrow('in time')
  const first = requests
  await expect(find()).rejects.toThrow('recently')
  expect(requests).toBe(first)
  now += 31_000
  await expect(find()).rejects.toThrow('in time')
  expect(requests).toBeGreaterThan(first)
  silent.closeAllConnections()
  await new Promise((resolve) => silent.close(resolve))
})
