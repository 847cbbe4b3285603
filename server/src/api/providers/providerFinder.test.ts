import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Hex } from '../../indexer/block.ts'
import type { TransactionReference } from '../../indexer/requested/createLogRequests.ts'
import { SourceBusyError } from '../../indexer/requested/transactionFinder.ts'
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

/** Starts a provider whose responses are sent when the test says so. */
async function startSlowProvider(): Promise<{ url: string; requests(): number; respond(): void }> {
  const waiting: (() => void)[] = []
  let requests = 0
  const slow = createServer(({ url: requested = '' }, response) => {
    requests += 1
    const { pathname, searchParams } = new URL(requested, 'http://provider')
    const body = JSON.stringify(respondLikeBlockscout(pathname, searchParams))
    waiting.push(() => response.setHeader('connection', 'close').end(body))
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    slow.closeAllConnections()
    await new Promise((resolve) => slow.close(resolve))
  })
  // A server that listens on a port has an address of this form.
  const place = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
  return { url: place, requests: () => requests, respond: () => waiting.splice(0).forEach((send) => send()) }
}

const range = { from: 0, to: 500 }

test('a page that takes longer than the index waits is complete at a later request, and loaded once', async () => {
  const provider = await startSlowProvider()
  const chain = createChain([{ kind: 'blockscout', url: provider.url }])
  const finder = createProviderFinder(chain, clock, { waitMs: 50, budgetMs: 60_000 })
  await expect(finder?.find(account, range)).rejects.toBeInstanceOf(SourceBusyError)
  await expect(finder?.find(account, range)).rejects.toBeInstanceOf(SourceBusyError)
  const { requests } = provider
  await vi.waitFor(() => expect(requests()).toBeGreaterThan(0))
  const sent = requests()
  provider.respond()
  await vi.waitFor(async () => expect((await finder?.find(account, range))?.references.length).toBeGreaterThan(0))
  expect(requests()).toBe(sent)
})

test('the index loads at most eight pages of a slow provider at a time', async () => {
  const provider = await startSlowProvider()
  const chain = createChain([{ kind: 'blockscout', url: provider.url }])
  const finder = createProviderFinder(chain, clock, { waitMs: 5, budgetMs: 60_000 })
  const requestsPerPage = 2
  for (let each = 0; each < 12; each += 1) {
    await expect(finder?.find(account, { from: 0, to: 500 - each })).rejects.toBeInstanceOf(SourceBusyError)
  }
  await vi.waitFor(() => expect(provider.requests()).toBe(8 * requestsPerPage))
})

test('a provider that exceeds the budget of a page is not used for half a minute', async () => {
  const provider = await startSlowProvider()
  let now = 1_000_000
  const chain = createChain([{ kind: 'blockscout', url: provider.url }])
  const finder = createProviderFinder(chain, { now: () => now }, { waitMs: 5, budgetMs: 100 })
  const find = async () => finder?.find(account, range)
  await expect(find()).rejects.toBeInstanceOf(SourceBusyError)
  await vi.waitFor(() => expect(find()).rejects.toThrow(/available|in time/))
  await expect(find()).rejects.toThrow('recently')
  const first = provider.requests()
  now += 31_000
  await expect(find()).rejects.toBeInstanceOf(SourceBusyError)
  await vi.waitFor(() => expect(provider.requests()).toBeGreaterThan(first))
})
