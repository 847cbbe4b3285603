import { exchangeConfig, startChains, type LocalChains } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { createEndpointPools } from '../../kit/chain/endpointPools.ts'
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
  const source = createPoolPrices({ pools: createEndpointPools(clock), bus: createInProcessBus(), clock })
  return source.prices({ ...chain, ...more }, assets, currency)
}

test('pool prices use the deepest pool, directly or through the wrapped currency', async () => {
  const prices = await pricesOf(['native', dollar, key])
  expect(prices.get(dollar)).toBe(1)
  expect(prices.get('native')).toBeCloseTo(2_500, 0)
  expect(prices.get(key)).toBeCloseTo(10, 1)
})

test('pool prices are missing without a pool, enough liquidity, the dollar currency or a stable token', async () => {
  expect([...(await pricesOf([`0x${'12'.repeat(20)}`]))]).toEqual([])
  const shallow = await pricesOf(['native', key, dollar], { pricePools: { stable: dollar, minimum: 100_000_000 } })
  expect([...shallow]).toEqual([[dollar, 1]])
  expect([...(await pricesOf(['native'], {}, 'eur'))]).toEqual([])
  expect([...(await pricesOf(['native'], { pricePools: undefined }))]).toEqual([])
})

test('pool prices fail if the chain is not available', async () => {
  await expect(pricesOf(['native'], { rpcUrls: ['http://127.0.0.1:1'] })).rejects.toThrow('No endpoint responds.')
})
