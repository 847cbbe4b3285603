import { expect, test } from 'vitest'
import type { Chain } from '../../kit/chains.ts'
import { joinPrices } from './joinedPrices.ts'
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

test('asks each source for what those before it do not know, and passes over one that cannot tell', async () => {
  const asked: string[][] = []
  const prices = joinPrices([tells({ a: 1, b: 0.5 }), broken, tells({ a: 9, c: 3 }, asked)])
  expect([...(await prices.prices(chain, ['a', 'c', 'd'], 'usd'))]).toEqual([
    ['a', 1],
    ['c', 3],
  ])
  expect(asked).toEqual([['c', 'd']])
})

test('fails when nobody can tell, and knows nothing when nobody knows', async () => {
  await expect(joinPrices([broken, tells({})]).prices(chain, ['a'], 'usd')).rejects.toThrow('away')
  expect([...(await joinPrices([tells({})]).prices(chain, ['a'], 'usd'))]).toEqual([])
})
