import type { ChainId, HistoryItem, HistoryTransfer } from '@latchkey/protocol'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { toAssetDayKey, type AssetDay, type PastPriceSource } from '../prices/past/pastPriceSource.ts'
import { createAddValues } from './addValues.ts'

const chainId = 'eip155:1'
const token = `0x${'dd'.repeat(20)}`
const chain: Chain = {
  caipNetworkId: chainId,
  name: 'One',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [],
  tokens: [],
}
const { log } = Fastify({ logger: false })

function createHistoryTransfer(more: Partial<HistoryTransfer> = {}): HistoryTransfer {
  return {
    fungible_info: { name: 'Ether', symbol: 'ETH', icon: null },
    nft_info: null,
    direction: 'in',
    quantity: { numeric: '1.5' },
    value: null,
    price: null,
    ...more,
  }
}

function createHistoryItem(
  minedAt: string,
  transfers: readonly HistoryTransfer[],
  chain: ChainId = chainId,
): HistoryItem {
  return {
    id: minedAt,
    metadata: {
      operationType: 'receive',
      hash: '0x1',
      minedAt,
      sentFrom: '0xa',
      sentTo: '0xb',
      status: 'confirmed',
      nonce: 1,
      application: null,
      chain,
    },
    transfers,
  }
}

/** A source with fixed prices, which records what it is asked for. */
function fakeSource(prices: Readonly<Record<string, number>>) {
  const requested: { wanted: readonly AssetDay[]; currency: string }[] = []
  const source: PastPriceSource = {
    async pastPrices(_chain, wanted, currency) {
      requested.push({ wanted, currency })
      const keys = wanted.map(toAssetDayKey)
      return new Map(keys.flatMap((key) => (prices[key] === undefined ? [] : [[key, prices[key]] as const])))
    },
  }
  return { source, requested }
}

async function valuesOf(source: PastPriceSource, items: readonly HistoryItem[], currency = 'usd', waitMs?: number) {
  const add = createAddValues({ chains: [chain], pastPrices: source, waitMs })
  return (await add(items, currency, log)).map(({ transfers }) => transfers.map(({ value, price }) => [value, price]))
}

test('a transfer has the value of its own day, and none if the price of that day is unknown', async () => {
  const { source, requested } = fakeSource({ 'native@2026-01-01': 2_000, [`${token}@2026-01-02`]: 1 })
  const coin = { name: 'Dollar', symbol: 'USD', icon: null, address: `${chainId}:${token}` }
  const items = [
    createHistoryItem('2026-01-02T23:59:59.999Z', [
      createHistoryTransfer({ fungible_info: coin }),
      createHistoryTransfer(),
    ]),
    createHistoryItem('2026-01-01T00:00:00.000Z', [
      createHistoryTransfer(),
      createHistoryTransfer({ quantity: { numeric: '0' } }),
    ]),
    createHistoryItem('2026-01-01T10:00:00.000Z', [createHistoryTransfer({ fungible_info: coin })]),
  ]
  expect(await valuesOf(source, items)).toEqual([
    [
      [1.5, 1],
      [null, null],
    ],
    [
      [3_000, 2_000],
      [0, 2_000],
    ],
    [[null, null]],
  ])
  expect(requested).toHaveLength(1)
  expect(requested[0]?.wanted.map(toAssetDayKey)).toEqual([
    `${token}@2026-01-02`,
    'native@2026-01-02',
    'native@2026-01-01',
    `${token}@2026-01-01`,
  ])
})

test('NFTs, spam and transactions of other chains have no value, and no price is asked for', async () => {
  const { source, requested } = fakeSource({ 'native@2026-01-01': 2_000 })
  const lure = { name: 'Claim', symbol: 'C', icon: null, flags: { is_spam: true } }
  const cat = { name: 'Cat', content: null, flags: { is_spam: false } }
  const items = [
    createHistoryItem('2026-01-01T00:00:00Z', [
      createHistoryTransfer({ fungible_info: lure }),
      createHistoryTransfer({ fungible_info: null, nft_info: cat }),
    ]),
    createHistoryItem('2026-01-01T00:00:00Z', [createHistoryTransfer()], 'eip155:5'),
  ]
  expect((await valuesOf(source, items)).flat(2)).toEqual([null, null, null, null, null, null])
  expect(requested).toEqual([])
})

test('values are in the requested currency', async () => {
  const { source, requested } = fakeSource({ 'native@2026-01-01': 1 })
  await valuesOf(source, [createHistoryItem('2026-01-01T00:00:00Z', [createHistoryTransfer()])], 'eur')
  expect(requested.map(({ currency }) => currency)).toEqual(['eur'])
})

test('a history without prices is complete if the source fails or does not respond', async () => {
  const items = [createHistoryItem('2026-01-01T00:00:00Z', [createHistoryTransfer()])]
  const broken: PastPriceSource = { pastPrices: () => Promise.reject(new Error('away')) }
  const silent: PastPriceSource = { pastPrices: () => new Promise(() => {}) }
  expect(await valuesOf(broken, items)).toEqual([[[null, null]]])
  expect(await valuesOf(silent, items, 'usd', 5)).toEqual([[[null, null]]])
})

test('a page asks for 400 prices at most, those of its newest transactions', async () => {
  const { source, requested } = fakeSource({})
  const coins = Array.from({ length: 50 }, (_, index) =>
    createHistoryTransfer({
      fungible_info: {
        name: null,
        symbol: null,
        icon: null,
        address: `${chainId}:0x${index.toString(16).padStart(40, '0')}`,
      },
    }),
  )
  const items = Array.from({ length: 50 }, (_, index) =>
    createHistoryItem(new Date(Date.UTC(2026, 0, 60 - index)).toISOString(), coins),
  )
  await valuesOf(source, items)
  expect(requested[0]?.wanted).toHaveLength(400)
  expect(requested[0]?.wanted.at(-1)?.day).toBe('2026-02-22')
})
