import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HistoryPage } from '@latchkey/protocol'
import { afterEach, expect, test } from 'vitest'
import type { Chain } from '../../kit/chains.ts'
import type { Provider } from '../../kit/provider.ts'
import type { BalanceSource } from '../balances/balanceSource.ts'
import { joinBalances } from '../balances/joinedBalances.ts'
import { createInProcessBus } from '../../kit/bus.ts'
import { createProviderPrices } from '../prices/providerPrices.ts'
import { createProviderBalances, createProviderHistory } from './providerSources.ts'
import { account, blockscout, etherscan, goldrush, other, token, transaction } from './recorded.ts'

const servers: Server[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

type Asked = { path: string; query: URLSearchParams; authorization: string | undefined; key: string | undefined }

/** A provider that answers as it was recorded. */
async function provider(answer: (asked: Asked) => unknown) {
  const asked: Asked[] = []
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname: path, searchParams: query } = new URL(url, 'http://provider')
    const each = { path, query, authorization: headers.authorization, key: headers['x-cg-pro-api-key']?.toString() }
    asked.push(each)
    const told = answer(each)
    if (typeof told === 'number') response.writeHead(told).end('<html>Away</html>')
    else response.setHeader('connection', 'close').end(typeof told === 'string' ? told : JSON.stringify(told))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const clock = { now: () => Date.parse('2026-11-22T12:00:00Z') }
const secret = 'a-very-secret-key'

function chainWith(providers: readonly Provider[], more: Partial<Chain> = {}): Chain {
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

async function page(chain: Chain, cursor?: string, size = 50): Promise<HistoryPage> {
  return createProviderHistory(clock).page({ chains: [chain], address: account, cursor, size })
}

test('reads balances of a Blockscout: what is a token of people, and no lure', async () => {
  const { url } = await provider(({ path }) =>
    path.endsWith('/token-balances') ? blockscout.tokens : blockscout.about,
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

test('reads the history of a Blockscout: transactions with the tokens that they moved', async () => {
  const { url, asked } = await provider(({ path }) =>
    path.endsWith('/transactions') ? blockscout.transactions : blockscout.transfers,
  )
  const chain = chainWith([{ kind: 'blockscout', url, key: secret }])
  const { data, next } = await page(chain)
  expect(data).toMatchObject([
    {
      metadata: { hash: transaction(3), operationType: 'receive', status: 'confirmed', chain: 'eip155:100' },
      transfers: [{ direction: 'in', fungible_info: { symbol: 'LUSD' }, quantity: { numeric: '2' }, price: null }],
    },
    { metadata: { hash: transaction(2), operationType: 'execute', status: 'failed', nonce: 8 }, transfers: [] },
    {
      metadata: { hash: transaction(1), operationType: 'send', sentTo: other, minedAt: '2026-11-20T10:00:00.000Z' },
      transfers: [{ direction: 'out', fungible_info: { symbol: 'XDAI' }, quantity: { numeric: '0.5' } }],
    },
  ])
  expect(next).toBeNull()
  expect(asked[0]?.query.get('apikey')).toBe(secret)
})

test('goes on below the block where a page ended, and loses nothing that only one list has', async () => {
  const { url, asked } = await provider(({ path, query }) => {
    if (path.endsWith('/token-transfers')) return { items: [], next_page_params: null }
    const { items } = blockscout.transactions
    if (query.has('block_number')) return { items: items.slice(1), next_page_params: null }
    return { items: items.slice(0, 1), next_page_params: { block_number: 11, index: 0, items_count: 50 } }
  })
  const chain = chainWith([{ kind: 'blockscout', url }])
  const first = await page(chain)
  expect(first.data.map(({ metadata }) => metadata.hash)).toEqual([transaction(2)])
  const second = await page(chain, first.next ?? '')
  expect(second.data.map(({ metadata }) => metadata.hash)).toEqual([transaction(1)])
  expect(second.next).toBeNull()
  expect(asked.at(-1)?.query.get('block_number')).toBe('11')
})

test('reads the history of Etherscan by its number of the chain, page by page', async () => {
  const { url, asked } = await provider(({ query }) => etherscan(query.get('action'), query.get('endblock')))
  const chain = chainWith([{ kind: 'etherscan', url, key: secret }])
  const first = await page(chain, undefined, 1)
  expect(first.data).toMatchObject([
    {
      metadata: { hash: transaction(3), operationType: 'trade', nonce: 9, status: 'confirmed' },
      transfers: [
        { direction: 'out', fungible_info: { symbol: 'XDAI' }, quantity: { numeric: '1' } },
        { direction: 'in', fungible_info: { symbol: 'LUSD' }, quantity: { numeric: '2' } },
      ],
    },
  ])
  const second = await page(chain, first.next ?? '', 1)
  expect(second).toMatchObject({
    data: [
      {
        metadata: { hash: transaction(1), operationType: 'mint' },
        transfers: [{ nft_info: { name: 'Claim at evil.xyz', flags: { is_spam: true }, content: null } }],
      },
    ],
    next: null,
  })
  expect(Object.fromEntries(asked[0]?.query ?? [])).toMatchObject({
    chainid: '100',
    module: 'account',
    sort: 'desc',
    apikey: secret,
  })
})

test('takes nothing found at Etherscan for an empty history, and a refusal for none', async () => {
  const none = await provider(() => ({ status: '0', message: 'No transactions found', result: [] }))
  expect(await page(chainWith([{ kind: 'etherscan', url: none.url }]))).toEqual({ data: [], next: null })
  const busy = await provider(() => ({ status: '0', message: 'NOTOK', result: 'Max rate limit reached' }))
  await expect(page(chainWith([{ kind: 'etherscan', url: busy.url }]))).rejects.toMatchObject({
    status: 503,
    field: 'chainId',
  })
})

test('reads balances and history of GoldRush, by the name that it has for the chain', async () => {
  const { url, asked } = await provider(({ path }) =>
    path.includes('balances') ? goldrush.balances : goldrush.transactions,
  )
  const chain = chainWith([{ kind: 'goldrush', url, key: secret, network: 'gnosis-mainnet' }])
  expect(await createProviderBalances(clock).balances(chain, account)).toMatchObject([
    { symbol: 'XDAI', quantity: { numeric: '1.5' } },
    { symbol: 'LUSD', quantity: { numeric: '2.5' } },
  ])
  const first = await page(chain)
  expect(first.data).toMatchObject([
    { metadata: { hash: transaction(3), operationType: 'receive' }, transfers: [{ quantity: { numeric: '2' } }] },
  ])
  await page(chain, first.next ?? '')
  expect(asked.map(({ path }) => path)).toEqual([
    `/gnosis-mainnet/address/${account}/balances_v2/`,
    `/gnosis-mainnet/address/${account}/transactions_v3/`,
    `/gnosis-mainnet/address/${account}/transactions_v3/page/4/`,
  ])
  expect(asked[0]?.authorization).toBe(`Bearer ${secret}`)
})

test.each<[string, unknown]>([
  ['is away', 500],
  ['is at its limit', 429],
  ['answers a web page', '<!doctype html>'],
  ['tells nothing of what was asked', {}],
  ['tells numbers below zero', { coin_balance: '-5' }],
])('asks the next provider when one %s [P-01]', async (_what, answer) => {
  const [bad, good] = [
    await provider(({ path }) => (path.endsWith('/token-balances') ? [] : answer)),
    await provider(({ path }) => (path.endsWith('/token-balances') ? [] : blockscout.about)),
  ]
  const chain = chainWith([
    { kind: 'blockscout', url: bad.url },
    { kind: 'blockscout', url: good.url },
  ])
  expect(await createProviderBalances(clock).balances(chain, account)).toMatchObject([{ quantity: { numeric: '1.5' } }])
})

test('says nothing of an address or a key when a provider does not tell, and leaves one alone that fails too often [P-03]', async () => {
  const { url, asked } = await provider(() => 500)
  const balances = createProviderBalances(clock)
  const chain = chainWith([{ kind: 'blockscout', url, key: secret }])
  const said: string[] = []
  for (let each = 0; each < 30; each += 1) {
    said.push(
      await balances.balances(chain, account).then(
        () => '',
        (error: unknown) => `${String(error)} ${String(Object(error).cause)}`,
      ),
    )
  }
  expect(said.join()).toContain('blockscout answers 500')
  expect(said.join()).not.toContain(secret)
  expect(said.join()).not.toContain(url)
  expect(asked.length).toBeLessThan(30)
})

test('reads prices of CoinGecko in the currency that is asked, and what it does not know is not known', async () => {
  const { url, asked } = await provider(({ path }) =>
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
  expect(asked.map(({ path, key }) => [path, key]).toSorted()).toEqual([
    ['/simple/price', secret],
    ['/simple/token_price/xdai', secret],
  ])
})

test('asks the chain and a provider in the order in which they know more, and the other when one fails', async () => {
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
  const symbols = async (own: BalanceSource, told: BalanceSource, chain: Chain, fresh = false) =>
    (await joinBalances(own, told).balances(chain, account, { fresh })).map(({ symbol }) => symbol)
  const [plain, indexed] = [chainWith([]), chainWith([], { index: { from: 0 } })]
  expect(await symbols(source('OWN'), source('TOLD'), indexed)).toEqual(['OWN'])
  expect(await symbols(source('OWN'), source('TOLD'), plain)).toEqual(['TOLD'])
  expect(await symbols(broken, source('TOLD'), indexed)).toEqual(['TOLD'])
  expect(await symbols(source('OWN'), broken, plain)).toEqual(['OWN'])
  expect(await symbols(source('OWN'), source('TOLD'), plain, true)).toEqual(['OWN'])
  expect(await symbols(source('OWN'), source('MORE', 'eip155:100:0x1'), plain, true)).toEqual(['OWN', 'MORE'])
})
