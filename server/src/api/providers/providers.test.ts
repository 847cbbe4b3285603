import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HistoryPage } from '@latchkey/protocol'
import { afterEach, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import type { DataProvider } from '../../kit/chain/dataProvider.ts'
import type { BalanceSource } from '../balances/balanceSource.ts'
import { joinBalances } from '../balances/joinBalances.ts'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import { createProviderPrices } from '../prices/providerPrices.ts'
import { createProviderBalances } from './providerBalances.ts'
import { createProviderHistory } from './providerHistory.ts'
import {
  account,
  blockscoutProviderFixture,
  getEtherscanProviderFixture,
  goldrushProviderFixture,
  other,
  token,
  toTransactionHash,
} from './providerFixtures.ts'

const servers: Server[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

type ReceivedRequest = {
  path: string
  query: URLSearchParams
  authorization: string | undefined
  key: string | undefined
}

/** A provider with fixed responses. */
async function startProvider(reply: (requests: ReceivedRequest) => unknown) {
  const requests: ReceivedRequest[] = []
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname: path, searchParams: query } = new URL(url, 'http://provider')
    const each = { path, query, authorization: headers.authorization, key: headers['x-cg-pro-api-key']?.toString() }
    requests.push(each)
    const provided = reply(each)
    if (typeof provided === 'number') response.writeHead(provided).end('<html>Away</html>')
    else
      response.setHeader('connection', 'close').end(typeof provided === 'string' ? provided : JSON.stringify(provided))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const clock = { now: () => Date.parse('2026-11-22T12:00:00Z') }
const secret = 'a-very-secret-key'

function chainWith(providers: readonly DataProvider[], more: Partial<Chain> = {}): Chain {
  return {
    caipNetworkId: 'eip155:100',
    name: 'Gnosis',
    nativeCurrency: { name: 'xDai', symbol: 'XDAI', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:1'],
    tokens: [{ address: token, name: 'Latch Dollar', symbol: 'LUSD', decimals: 6 }],
    providers,
    ...more,
  }
}

async function fetchPage(chain: Chain, cursor?: string, size = 50): Promise<HistoryPage> {
  return createProviderHistory(clock).page({ chains: [chain], address: account, cursor, size })
}

test('Blockscout balances contain fungible tokens and no spam', async () => {
  const { url } = await startProvider(({ path }) =>
    path.endsWith('/token-balances') ? blockscoutProviderFixture.tokens : blockscoutProviderFixture.about,
  )
  const chain = chainWith([{ kind: 'blockscout', url }])
  expect(await createProviderBalances(clock).balances(chain, account)).toEqual([
    {
      name: 'xDai',
      symbol: 'XDAI',
      chainId: 'eip155:100',
      price: 0,
      quantity: { decimals: '18', numeric: '1.5' },
      iconUrl: '',
    },
    expect.objectContaining({
      symbol: 'LUSD',
      address: `eip155:100:${token}`,
      quantity: { decimals: '6', numeric: '2.5' },
    }),
    expect.objectContaining({
      symbol: 'GNO',
      quantity: { decimals: '18', numeric: '0.000000000000000007' },
      iconUrl: '',
    }),
  ])
})

test('Blockscout history contains transactions with their token transfers', async () => {
  const { url, requests } = await startProvider(({ path }) =>
    path.endsWith('/transactions') ? blockscoutProviderFixture.transactions : blockscoutProviderFixture.transfers,
  )
  const chain = chainWith([{ kind: 'blockscout', url, key: secret }])
  const { data, next } = await fetchPage(chain)
  expect(data).toMatchObject([
    {
      metadata: { hash: toTransactionHash(3), operationType: 'receive', status: 'confirmed', chain: 'eip155:100' },
      transfers: [{ direction: 'in', fungible_info: { symbol: 'LUSD' }, quantity: { numeric: '2' }, price: null }],
    },
    { metadata: { hash: toTransactionHash(2), operationType: 'execute', status: 'failed', nonce: 8 }, transfers: [] },
    {
      metadata: {
        hash: toTransactionHash(1),
        operationType: 'send',
        sentTo: other,
        minedAt: '2026-11-20T10:00:00.000Z',
      },
      transfers: [{ direction: 'out', fungible_info: { symbol: 'XDAI' }, quantity: { numeric: '0.5' } }],
    },
  ])
  expect(next).toBeNull()
  expect(requests[0]?.query.get('apikey')).toBe(secret)
})

test('Blockscout history continues below the last block and keeps items of a single list', async () => {
  const { url, requests } = await startProvider(({ path, query }) => {
    if (path.endsWith('/token-transfers')) return { items: [], next_page_params: null }
    const { items } = blockscoutProviderFixture.transactions
    if (query.has('block_number')) return { items: items.slice(1), next_page_params: null }
    return { items: items.slice(0, 1), next_page_params: { block_number: 11, index: 0, items_count: 50 } }
  })
  const chain = chainWith([{ kind: 'blockscout', url }])
  const first = await fetchPage(chain)
  expect(first.data.map(({ metadata }) => metadata.hash)).toEqual([toTransactionHash(2)])
  const second = await fetchPage(chain, first.next ?? '')
  expect(second.data.map(({ metadata }) => metadata.hash)).toEqual([toTransactionHash(1)])
  expect(second.next).toBeNull()
  expect(requests.at(-1)?.query.get('block_number')).toBe('11')
})

test('Etherscan history is read by chain id, page by page', async () => {
  const { url, requests } = await startProvider(({ query }) =>
    getEtherscanProviderFixture(query.get('action'), query.get('endblock')),
  )
  const chain = chainWith([{ kind: 'etherscan', url, key: secret }])
  const first = await fetchPage(chain, undefined, 1)
  expect(first.data).toMatchObject([
    {
      metadata: { hash: toTransactionHash(3), operationType: 'trade', nonce: 9, status: 'confirmed' },
      transfers: [
        { direction: 'out', fungible_info: { symbol: 'XDAI' }, quantity: { numeric: '1' } },
        { direction: 'in', fungible_info: { symbol: 'LUSD' }, quantity: { numeric: '2' } },
      ],
    },
  ])
  const second = await fetchPage(chain, first.next ?? '', 1)
  expect(second).toMatchObject({
    data: [
      {
        metadata: { hash: toTransactionHash(1), operationType: 'mint' },
        transfers: [{ nft_info: { name: 'Claim at evil.xyz', flags: { is_spam: true }, content: null } }],
      },
    ],
    next: null,
  })
  expect(Object.fromEntries(requests[0]?.query ?? [])).toMatchObject({
    chainid: '100',
    module: 'account',
    sort: 'desc',
    apikey: secret,
  })
})

test('a history leaves out transactions of a provider whose time is beyond all dates', async () => {
  const paid = { nonce: '9', blockNumber: '12', hash: toTransactionHash(7), value: '5', from: other, to: account }
  const { url } = await startProvider(({ query }) =>
    query.get('action') === 'txlist'
      ? { status: '1', message: 'OK', result: [{ ...paid, timeStamp: '9007199254740991' }] }
      : { status: '0', message: 'No transactions found', result: [] },
  )
  expect((await fetchPage(chainWith([{ kind: 'etherscan', url }]))).data).toEqual([])
})

test('histories of providers omit zero-value transfers that a stranger made', async () => {
  const victim = account
  const zero = { timeStamp: '1795341600', nonce: '9', blockNumber: '12', hash: toTransactionHash(7), value: '0' }
  const attack = { ...zero, from: victim, to: other, contractAddress: token, tokenName: 'Dollar' }
  const etherscan = await startProvider(({ query }) =>
    query.get('action') === 'tokentx'
      ? { status: '1', message: 'OK', result: [attack] }
      : { status: '0', message: 'No transactions found', result: [] },
  )
  expect((await fetchPage(chainWith([{ kind: 'etherscan', url: etherscan.url }]))).data).toEqual([])
  const [item] = blockscoutProviderFixture.transfers.items
  const theft = { ...item, from: { hash: victim }, to: { hash: other }, total: { value: '0', decimals: '6' } }
  const blockscout = await startProvider(({ path }) => ({
    items: path.endsWith('/transactions') ? [] : [theft],
    next_page_params: null,
  }))
  expect((await fetchPage(chainWith([{ kind: 'blockscout', url: blockscout.url }]))).data).toEqual([])
})

test('histories of providers omit transactions without a value that a stranger sent to the account', async () => {
  const [, native] = blockscoutProviderFixture.transactions.items
  const attack = { ...native, from: { hash: other }, to: { hash: account }, value: '0' }
  const own = { ...attack, hash: toTransactionHash(5), block_number: 9, from: { hash: account } }
  const blockscout = await startProvider(({ path }) => ({
    items: path.endsWith('/transactions') ? [attack, own] : [],
    next_page_params: null,
  }))
  const { data } = await fetchPage(chainWith([{ kind: 'blockscout', url: blockscout.url }]))
  expect(data).toMatchObject([{ metadata: { operationType: 'execute', sentFrom: account }, transfers: [] }])
})

test('Etherscan history is empty if nothing was found, and fails on an error', async () => {
  const none = await startProvider(() => ({ status: '0', message: 'No transactions found', result: [] }))
  expect(await fetchPage(chainWith([{ kind: 'etherscan', url: none.url }]))).toEqual({ data: [], next: null })
  const busy = await startProvider(() => ({ status: '0', message: 'NOTOK', result: 'Max rate limit reached' }))
  await expect(fetchPage(chainWith([{ kind: 'etherscan', url: busy.url }]))).rejects.toMatchObject({
    status: 503,
    field: 'chainId',
  })
})

test('GoldRush balances and history are read by its chain name', async () => {
  const { url, requests } = await startProvider(({ path }) =>
    path.includes('balances') ? goldrushProviderFixture.balances : goldrushProviderFixture.transactions,
  )
  const chain = chainWith([{ kind: 'goldrush', url, key: secret, network: 'gnosis-mainnet' }])
  expect(await createProviderBalances(clock).balances(chain, account)).toMatchObject([
    { symbol: 'XDAI', quantity: { numeric: '1.5' } },
    { symbol: 'LUSD', quantity: { numeric: '2.5' } },
  ])
  const first = await fetchPage(chain)
  expect(first.data).toMatchObject([
    { metadata: { hash: toTransactionHash(3), operationType: 'receive' }, transfers: [{ quantity: { numeric: '2' } }] },
  ])
  await fetchPage(chain, first.next ?? '')
  expect(requests.map(({ path }) => path)).toEqual([
    `/gnosis-mainnet/address/${account}/balances_v2/`,
    `/gnosis-mainnet/address/${account}/transactions_v3/`,
    `/gnosis-mainnet/address/${account}/transactions_v3/page/4/`,
  ])
  expect(requests[0]?.authorization).toBe(`Bearer ${secret}`)
})

test.each<[string, unknown]>([
  ['is unavailable', 500],
  ['is at its limit', 429],
  ['responds with a web page', '<!doctype html>'],
  ['omits the requested values', {}],
  ['sends negative numbers', { coin_balance: '-5' }],
])('next provider is used if one %s [P-01]', async (_what, received) => {
  const [bad, good] = [
    await startProvider(({ path }) => (path.endsWith('/token-balances') ? [] : received)),
    await startProvider(({ path }) => (path.endsWith('/token-balances') ? [] : blockscoutProviderFixture.about)),
  ]
  const chain = chainWith([
    { kind: 'blockscout', url: bad.url },
    { kind: 'blockscout', url: good.url },
  ])
  expect(await createProviderBalances(clock).balances(chain, account)).toMatchObject([{ quantity: { numeric: '1.5' } }])
})

test('provider error contains no address or key, and a failing provider is not called [P-03]', async () => {
  const { url, requests } = await startProvider(() => 500)
  const balances = createProviderBalances(clock)
  const chain = chainWith([{ kind: 'blockscout', url, key: secret }])
  const messages: string[] = []
  for (let each = 0; each < 30; each += 1) {
    messages.push(
      await balances.balances(chain, account).then(
        () => '',
        (error: unknown) => `${String(error)} ${String(Object(error).cause)}`,
      ),
    )
  }
  expect(messages.join()).toContain('blockscout responded with status 500')
  expect(messages.join()).not.toContain(secret)
  expect(messages.join()).not.toContain(url)
  expect(requests.length).toBeLessThan(30)
})

test('CoinGecko prices are in the requested currency, and unknown prices are left out', async () => {
  const { url, requests } = await startProvider(({ path }) =>
    path === '/simple/price'
      ? { xdai: { eur: 0.91 } }
      : { [token.toLowerCase()]: { eur: 0.9 }, [other]: { eur: null } },
  )
  const chain = chainWith([{ kind: 'coingecko', url, key: secret, network: 'xdai', coin: 'xdai' }])
  const prices = createProviderPrices({ bus: createInProcessBus(), clock })
  expect([...(await prices.prices(chain, ['native', token, other], 'eur'))]).toEqual([
    ['native', 0.91],
    [token, 0.9],
  ])
  expect(requests.map(({ path, key }) => [path, key]).toSorted()).toEqual([
    ['/simple/price', secret],
    ['/simple/token_price/xdai', secret],
  ])
})

test('CoinGecko prices of tokens whose addresses distinguish cases are requested as they are', async () => {
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const { url, requests } = await startProvider(({ query }) =>
    query.get('contract_addresses') === mint ? { [mint]: { usd: 1.01 } } : {},
  )
  const chain = chainWith([{ kind: 'coingecko', url, key: secret, network: 'solana' }], {
    caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  })
  const prices = createProviderPrices({ bus: createInProcessBus(), clock })
  expect([...(await prices.prices(chain, [mint], 'usd'))]).toEqual([[mint, 1.01]])
  expect(requests).toHaveLength(1)
})

test('balances come from the source with more tokens first, then from the fallback', async () => {
  const balance = (symbol: string) => ({
    ...Object.assign({ name: symbol, chainId: 'eip155:100' as const, price: 0, iconUrl: '' }),
    symbol,
    quantity: { decimals: '0', numeric: '1' },
  })
  const source = (symbol: string, address?: string): BalanceSource => ({
    covers: () => true,
    balances: async () => [{ ...balance(symbol), ...(address === undefined ? {} : { address }) }],
  })
  const broken: BalanceSource = { covers: () => true, balances: () => Promise.reject(new Error('away')) }
  const symbols = async (own: BalanceSource, provided: BalanceSource, chain: Chain, fresh = false) =>
    (await joinBalances(own, provided).balances(chain, account, { fresh })).map(({ symbol }) => symbol)
  const [plain, indexed] = [chainWith([]), chainWith([], { index: { from: 0 } })]
  expect(await symbols(source('OWN'), source('OTHER'), indexed)).toEqual(['OWN'])
  expect(await symbols(source('OWN'), source('OTHER'), plain)).toEqual(['OTHER'])
  expect(await symbols(broken, source('OTHER'), indexed)).toEqual(['OTHER'])
  expect(await symbols(source('OWN'), broken, plain)).toEqual(['OWN'])
  expect(await symbols(source('OWN'), source('OTHER'), plain, true)).toEqual(['OWN'])
  expect(await symbols(source('OWN'), source('MORE', 'eip155:100:0x1'), plain, true)).toEqual(['OWN', 'MORE'])
})
