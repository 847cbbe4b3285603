import { expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { joinPrices } from './joinPrices.ts'
import type { PriceSource } from './priceSource.ts'

const chain: Chain = {
  caipNetworkId: 'eip155:1',
  name: 'One',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [],
  tokens: [],
}
const fakePrices = (known: Record<string, number>, requests: string[][] = []): PriceSource => ({
  prices: async (_chain, assets) => {
    requests.push([...assets])
    return new Map(Object.entries(known).filter(([asset]) => assets.includes(asset)))
  },
})
const broken: PriceSource = { prices: () => Promise.reject(new Error('away')) }

test('joinPrices queries each source for the remaining prices and skips a failing source', async () => {
  const requests: string[][] = []
  const prices = joinPrices([fakePrices({ a: 1, b: 0.5 }), broken, fakePrices({ a: 9, c: 3 }, requests)])
  expect([...(await prices.prices(chain, ['a', 'c', 'd'], 'usd'))]).toEqual([
    ['a', 1],
    ['c', 3],
  ])
  expect(requests).toEqual([['c', 'd']])
})

test('joinPrices fails if all sources fail, and is empty if no source has a price', async () => {
  await expect(joinPrices([broken, fakePrices({})]).prices(chain, ['a'], 'usd')).rejects.toThrow('away')
  expect([...(await joinPrices([fakePrices({})]).prices(chain, ['a'], 'usd'))]).toEqual([])
})
