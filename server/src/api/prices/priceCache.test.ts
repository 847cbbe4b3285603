import { expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import { createPriceCache, type LoadPrices } from './priceCache.ts'

function open(prices: Readonly<Record<string, number>>) {
  let now = 1_000_000
  const loads: string[] = []
  const load: LoadPrices = async (assets) => {
    loads.push(assets.join())
    return new Map(assets.flatMap((asset) => (prices[asset] === undefined ? [] : [[asset, prices[asset]] as const])))
  }
  const cache = createPriceCache({ bus: createInProcessBus(), clock: { now: () => now }, name: 'test' })
  return {
    loads,
    advance: (milliseconds: number) => (now += milliseconds),
    get: async (...assets: string[]) => Object.fromEntries(await cache.get('eip155:1/usd', assets, load)),
  }
}

test('prices of overlapping sets of assets are loaded once per asset', async () => {
  const { get, loads } = open({ a: 1, b: 2, c: 3 })
  expect(await get('a', 'b')).toEqual({ a: 1, b: 2 })
  expect(await get('b', 'c')).toEqual({ b: 2, c: 3 })
  expect(await get('c', 'a', 'b')).toEqual({ a: 1, b: 2, c: 3 })
  expect(loads).toEqual(['a,b', 'c'])
})

test('concurrent calls share the load of an asset', async () => {
  const { get, loads } = open({ a: 1, b: 2, c: 3 })
  await Promise.all([get('a', 'b'), get('b', 'c'), get('a')])
  expect(loads).toEqual(['a,b', 'c'])
})

test('an asset without a price is not requested again within 30 seconds', async () => {
  const { get, loads, advance } = open({ a: 1 })
  expect(await get('a', 'x')).toEqual({ a: 1 })
  await get('x')
  expect(loads).toEqual(['a,x'])
  advance(30_000)
  await get('x')
  expect(loads).toEqual(['a,x', 'x'])
})

test('prices near their expiry are loaded again together, without a delay for the caller', async () => {
  const { get, loads, advance } = open({ a: 1, b: 2 })
  await get('a', 'b')
  advance(25_000)
  expect(await get('b', 'a')).toEqual({ a: 1, b: 2 })
  expect(loads).toEqual(['a,b', 'b,a'])
})
