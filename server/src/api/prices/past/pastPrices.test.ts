import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createInProcessBus } from '../../../kit/bus/bus.ts'
import type { Chain } from '../../../kit/chain/chains.ts'
import { cachePastPrices } from './cachePastPrices.ts'
import { joinPastPrices } from './joinPastPrices.ts'
import { toAssetDayKey, type AssetDay, type PastPriceSource } from './pastPriceSource.ts'
import { createProviderPastPrices } from './providerPastPrices.ts'

const token = `0x${'Dd'.repeat(20)}`
const chain: Chain = {
  caipNetworkId: 'eip155:100',
  name: 'Gnosis',
  nativeCurrency: { name: 'xDai', symbol: 'XDAI', decimals: 18 },
  rpcUrls: [],
  tokens: [{ address: token, name: 'Latch Dollar', symbol: 'LUSD', decimals: 6 }],
}
const servers: Server[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

const createAssetDay = (day: string, asset = 'native'): AssetDay => ({ asset, day })

/** A source with fixed prices, which records what it is asked for. */
function fakeSource(prices: Readonly<Record<string, number>>): PastPriceSource & { requested: string[] } {
  const requested: string[] = []
  return {
    requested,
    async pastPrices(_chain, wanted) {
      const keys = wanted.map(toAssetDayKey)
      requested.push(keys.join())
      return new Map(keys.flatMap((key) => (prices[key] === undefined ? [] : [[key, prices[key]] as const])))
    },
  }
}
const broken: PastPriceSource = { pastPrices: () => Promise.reject(new Error('away')) }

test('joinPastPrices asks each source for the remaining days, and skips a failing one', async () => {
  const last = fakeSource({ 'native@2026-01-01': 9, 'native@2026-01-02': 2 })
  const joined = joinPastPrices([fakeSource({ 'native@2026-01-01': 1 }), broken, last])
  const wanted = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => createAssetDay(day))
  expect([...(await joined.pastPrices(chain, wanted, 'usd'))]).toEqual([
    ['native@2026-01-01', 1],
    ['native@2026-01-02', 2],
  ])
  expect(last.requested).toEqual(['native@2026-01-02,native@2026-01-03'])
  await expect(joinPastPrices([broken, fakeSource({})]).pastPrices(chain, wanted, 'usd')).rejects.toThrow('away')
})

test('a past price is loaded once, an unknown one each hour, and that of today after five minutes', async () => {
  let now = Date.parse('2026-11-27T12:00:00Z')
  const source = fakeSource({ 'native@2026-01-01': 1, 'native@2026-11-27': 3 })
  const cached = cachePastPrices(source, { bus: createInProcessBus(), clock: { now: () => now } })
  const read = async () =>
    Object.fromEntries(
      await cached.pastPrices(
        chain,
        [createAssetDay('2026-01-01'), createAssetDay('2026-01-02'), createAssetDay('2026-11-27')],
        'usd',
      ),
    )
  const known = { 'native@2026-01-01': 1, 'native@2026-11-27': 3 }
  expect([await read(), await read()]).toEqual([known, known])
  now += 300_000
  expect(await read()).toEqual(known)
  now += 3_300_000
  expect(await read()).toEqual(known)
  expect(source.requested).toEqual([
    'native@2026-01-01,native@2026-01-02,native@2026-11-27',
    'native@2026-11-27',
    'native@2026-01-02,native@2026-11-27',
  ])
})

test('the price that a day had before it ended does not become its price', async () => {
  let now = Date.parse('2026-11-27T23:59:00Z')
  const prices: Record<string, number> = { 'native@2026-11-27': 3 }
  const source = fakeSource(prices)
  const cached = cachePastPrices(source, { bus: createInProcessBus(), clock: { now: () => now } })
  const read = async () => [...(await cached.pastPrices(chain, [createAssetDay('2026-11-27')], 'usd')).values()]
  expect(await read()).toEqual([3])
  prices['native@2026-11-27'] = 4
  now += 2 * 3_600_000
  expect(await read()).toEqual([4])
  now += 24 * 3_600_000
  expect(await read()).toEqual([4])
  expect(source.requested).toHaveLength(2)
})

test('currencies and chains are cached separately', async () => {
  const source = fakeSource({ 'native@2026-01-01': 1 })
  const clock = { now: () => Date.parse('2026-11-27T12:00:00Z') }
  const cached = cachePastPrices(source, { bus: createInProcessBus(), clock })
  for (const currency of ['usd', 'eur', 'usd']) await cached.pastPrices(chain, [createAssetDay('2026-01-01')], currency)
  await cached.pastPrices({ ...chain, caipNetworkId: 'eip155:1' }, [createAssetDay('2026-01-01')], 'usd')
  expect(source.requested).toHaveLength(3)
})

/** CoinGecko with one response per path. Others are not found. */
async function startProvider(charts: Readonly<Record<string, unknown>>) {
  const requests: string[] = []
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://provider')
    requests.push(`${pathname}?${searchParams} ${String(headers['x-cg-pro-api-key'])}`)
    response.setHeader('connection', 'close')
    if (charts[pathname] === undefined) response.writeHead(404).end('{"error":"coin not found"}')
    else response.end(JSON.stringify(charts[pathname]))
  })
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = { kind: 'coingecko', url, key: 'secret', network: 'xdai', coin: 'xdai' } as const
  return { requests, chain: { ...chain, providers: [provider] } }
}

const parseTime = (time: string): number => Date.parse(time)
const clock = { now: () => parseTime('2026-11-27T12:00:00Z') }

test('a provider gets one request per asset, and the first price of each day counts', async () => {
  const { requests, chain: provided } = await startProvider({
    '/coins/xdai/market_chart/range': {
      prices: [
        [parseTime('2026-01-01T00:00:10Z'), 0.91],
        [parseTime('2026-01-01T13:00:00Z'), 0.5],
        [parseTime('2026-01-02T00:00:00Z'), 0.92],
        [parseTime('2026-01-03T00:00:00Z'), 0],
        [parseTime('2026-01-04T00:00:00Z'), '1'],
        [1e300, 1],
        null,
      ],
    },
    [`/coins/xdai/contract/${token}/market_chart/range`]: { prices: [[parseTime('2026-01-04T00:00:00Z'), 1.01]] },
  })
  const days = ['2026-01-01', '2026-01-03', '2026-01-04']
  const wanted = [
    ...days.map((day) => createAssetDay(day)),
    createAssetDay('2026-01-04', token),
    createAssetDay('2026-01-04', `0x${'12'.repeat(20)}`),
  ]
  const prices = await createProviderPastPrices(clock).pastPrices(provided, wanted, 'eur')
  expect(Object.fromEntries(prices)).toEqual({ 'native@2026-01-01': 0.91, [`${token}@2026-01-04`]: 1.01 })
  const [from, to] = [parseTime('2026-01-01T00:00:00Z') / 1_000, parseTime('2026-01-05T00:00:00Z') / 1_000]
  expect(requests.toSorted()).toEqual([
    `/coins/xdai/contract/${token}/market_chart/range?vs_currency=eur&from=${to - 86_400}&to=${to} secret`,
    `/coins/xdai/market_chart/range?vs_currency=eur&from=${from}&to=${to} secret`,
  ])
})

test('assets that a provider does not know have no price, and do not open its circuit breaker', async () => {
  const { requests, chain: provided } = await startProvider({})
  const source = createProviderPastPrices(clock)
  for (let count = 0; count < 30; count += 1) {
    expect([...(await source.pastPrices(provided, [createAssetDay('2026-01-01')], 'usd'))]).toEqual([])
  }
  expect(requests).toHaveLength(30)
})

test('no request is sent without a provider', async () => {
  expect([...(await createProviderPastPrices(clock).pastPrices(chain, [createAssetDay('2026-01-01')], 'usd'))]).toEqual(
    [],
  )
})
