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
const tells = (known: Record<string, number>, asked: string[][] = []): PriceSource => ({
  prices: async (_chain, assets) => {
    asked.push([...assets])
    return new Map(Object.entries(known).filter(([asset]) => assets.includes(asset)))
  },
})
const broken: PriceSource = { prices: () => Promise.reject(new Error('away')) }

test('joinPrices queries each source for the remaining prices and skips a failing source', async () => {
  const requests: string[][] = []
  const prices = joinPrices([tells({ a: 1, b: 0.5 }), broken, tells({ a: 9, c: 3 }, requests)])
  expect([...(await prices.prices(chain, ['a', 'c', 'd'], 'usd'))]).toEqual([
    ['a', 1],
    ['c', 3],
  ])
  expect(requests).toEqual([['c', 'd']])
})

test('joinPrices fails if all sources fail, and is empty if no source has a price', async () => {
  await expect(joinPrices([broken, tells({})]).prices(chain, ['a'], 'usd')).rejects.toThrow('away')
  expect([...(await joinPrices([tells({})]).prices(chain, ['a'], 'usd'))]).toEqual([])
})
