import { startChains, type LocalChains } from '@latchkey/devnet'
import { createPublicClient, createTestClient, http, numberToHex, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChainRpc } from '../../../kit/chain/chainRpc.ts'
import type { Chain } from '../../../kit/chain/chains.ts'
import { createEndpointPools } from '../../../kit/chain/endpointPools.ts'
import { createChainPastPrices } from './chainPastPrices.ts'
import { findDayBlocks } from './findDayBlocks.ts'
import { getDaySpan, toUtcDay, type UtcDay } from './pastPriceSource.ts'

/** A contract that returns its storage: words 0 to 4 for `latestRoundData()`, word 5 for any other call. */
const feedCode: Hex = `0x60003560e01c63feaf968c14601a5760055460005260206000f35b${[0, 1, 2, 3, 4]
  .map((at) => `60${hexByte(at)}5460${hexByte(at * 32)}52`)
  .join('')}60a06000f3`
const feed = `0x${'fe'.repeat(20)}` as const
const dayMs = 86_400_000

let world: LocalChains
let chain: Chain
/** Three days after the local chain began, with a price of 1, 2 and 3 dollars at their end. */
let days: readonly UtcDay[]

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0')
}

const createNodeClient = () => createTestClient({ mode: 'anvil', transport: http(world.chains[0].rpcUrl) })
const createReader = () => createPublicClient({ transport: http(world.chains[0].rpcUrl), cacheTime: 0 })

/** Mines a block at a time, and sets the price of the feed in it. */
async function setPrice(dollars: number, time: number): Promise<void> {
  await createNodeClient().setNextBlockTimestamp({ timestamp: BigInt(time / 1_000) })
  await createNodeClient().mine({ blocks: 1 })
  // The node counts a change of the storage to the state of the latest block.
  const words = [1n, BigInt(dollars) * 10n ** 8n, 0n, BigInt(time / 1_000), 1n, 8n]
  for (const [index, value] of words.entries()) {
    await createNodeClient().setStorageAt({ address: feed, index, value: numberToHex(value, { size: 32 }) })
  }
}

beforeAll(async () => {
  world = await startChains()
  const { network, rpcUrl, tokens } = world.chains[0]
  const { caipNetworkId, name, nativeCurrency } = network
  const priceFeeds = [{ asset: 'native', feed }]
  chain = { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens, priceFeeds }
  await createNodeClient().setIntervalMining({ interval: 0 })
  await createNodeClient().setCode({ address: feed, bytecode: feedCode })
  const { timestamp } = await createReader().getBlock()
  const first = getDaySpan(toUtcDay(Number(timestamp) * 1_000)).end + dayMs
  days = [0, 1, 2].map((day) => toUtcDay(first + day * dayMs))
  for (const [index, day] of days.entries()) {
    const { start, end } = getDaySpan(day)
    // An earlier price of the same day does not count.
    await setPrice(100 + index, start)
    await setPrice(1 + index, end - 1_000)
  }
  await setPrice(4, first + 3 * dayMs)
})
afterAll(() => world.close())

async function pricesAt(now: number, wanted: readonly UtcDay[], more: Partial<Chain> = {}, currency = 'usd') {
  const clock = { now: () => now }
  const source = createChainPastPrices({ pools: createEndpointPools(clock), clock })
  const assetDays = wanted.map((day) => ({ asset: 'native', day }))
  return Object.fromEntries(await source.pastPrices({ ...chain, ...more }, assetDays, currency))
}

const getLastDay = (): UtcDay => days[2] ?? ''
/** A moment after the last price. */
const now = (): number => getDaySpan(getLastDay()).end + 60_000

test('the price of a past day is the last one that the feed had on it', async () => {
  expect(await pricesAt(now(), days)).toEqual(
    Object.fromEntries(days.map((day, index) => [`native@${day}`, index + 1])),
  )
})

test('the price of today is the latest one, and tomorrow has none', async () => {
  const today = toUtcDay(now())
  expect(await pricesAt(now(), [today, toUtcDay(now() + dayMs)])).toEqual({ [`native@${today}`]: 4 })
})

test('a day before the chain began has no price, and neither has a day on which the feed was stale', async () => {
  const stale = toUtcDay(getDaySpan(days[0] ?? '').start - dayMs)
  expect(await pricesAt(now(), ['1999-12-31', stale])).toEqual({})
})

test('a past day has no dollar price in another currency or without feeds', async () => {
  expect(await pricesAt(now(), days, {}, 'eur')).toEqual({})
  expect(await pricesAt(now(), days, { priceFeeds: [] })).toEqual({})
})

test('past prices fail if the chain is not available', async () => {
  await expect(pricesAt(now(), days, { rpcUrls: ['http://127.0.0.1:1'] })).rejects.toThrow('No endpoint responds.')
})

test('findDayBlocks finds the last block of each day with one batch per step', async () => {
  const clock = { now }
  const pool = createEndpointPools(clock).get(chain)
  let batches = 0
  const rpc = createChainRpc({
    ...pool,
    request: (batch, options) => {
      batches += 1
      return pool.request(batch, options)
    },
  })
  const found = await findDayBlocks(rpc, [...days, '1999-12-31', toUtcDay(now())])
  expect([...found.keys()].toSorted()).toEqual([...days].toSorted())
  for (const [day, { block, time }] of found) {
    const next = await createReader().getBlock({ blockNumber: BigInt(block + 1) })
    expect(time).toBe(getDaySpan(day).end - 1_000)
    expect(Number(next.timestamp) * 1_000).toBeGreaterThanOrEqual(getDaySpan(day).end)
  }
  const { number } = await createReader().getBlock()
  expect(batches).toBeLessThanOrEqual(3 + 2 * Math.ceil(Math.log2(Number(number) + 1)))
})
