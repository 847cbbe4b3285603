import { exchangeConfig, startChains, type LocalChains } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus.ts'
import type { Chain } from '../../kit/chains.ts'
import { createPools } from '../../kit/pools.ts'
import { createPoolPrices } from './poolPrices.ts'

const clock = { now: () => 0 }

let world: LocalChains
let chain: Chain
let [dollar, key] = ['', '']

beforeAll(async () => {
  world = await startChains()
  const [local] = world.chains
  const { caipNetworkId, name, nativeCurrency } = local.network
  const addressOf = (symbol: string): string => local.tokens.find((each) => each.symbol === symbol)?.address ?? ''
  ;[dollar, key] = [addressOf('LUSD'), addressOf('KEY')]
  chain = {
    caipNetworkId,
    name,
    nativeCurrency,
    rpcUrls: [local.rpcUrl],
    tokens: local.tokens,
    exchange: exchangeConfig(local),
    pricePools: { stable: dollar },
  }
})
afterAll(() => world.close())

async function pricesOf(assets: readonly string[], more: Partial<Chain> = {}, currency = 'usd') {
  const source = createPoolPrices({ pools: createPools(clock), bus: createInProcessBus(), clock })
  return source.prices({ ...chain, ...more }, assets, currency)
}

test('reads what is worth how much from the pools that hold most, straight or by way of the wrapped currency', async () => {
  const prices = await pricesOf(['native', dollar, key])
  expect(prices.get(dollar)).toBe(1)
  expect(prices.get('native')).toBeCloseTo(2_500, 0)
  expect(prices.get(key)).toBeCloseTo(10, 1)
})

test('knows no price of what is in no pool, in none that holds enough, in another currency, or where nobody is a dollar', async () => {
  expect([...(await pricesOf([`0x${'12'.repeat(20)}`]))]).toEqual([])
  const shallow = await pricesOf(['native', key, dollar], { pricePools: { stable: dollar, minimum: 100_000_000 } })
  expect([...shallow]).toEqual([[dollar, 1]])
  expect([...(await pricesOf(['native'], {}, 'eur'))]).toEqual([])
  expect([...(await pricesOf(['native'], { pricePools: undefined }))]).toEqual([])
})

test('says that it cannot tell when the chain is away', async () => {
  await expect(pricesOf(['native'], { rpcUrls: ['http://127.0.0.1:1'] })).rejects.toThrow('No endpoint answers.')
})
