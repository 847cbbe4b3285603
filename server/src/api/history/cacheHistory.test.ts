import type { HistoryItem, HistoryTransfer } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { publishIndexUpdate } from '../../indexer/indexUpdates.ts'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { cacheHistory } from './cacheHistory.ts'
import type { HistorySource } from './historySource.ts'

const nativeCurrency = { name: 'Coin', symbol: 'COIN', decimals: 9 }
const chainOf = (caipNetworkId: Chain['caipNetworkId']): Chain => ({
  caipNetworkId,
  name: caipNetworkId,
  nativeCurrency,
  rpcUrls: [],
  tokens: [],
})
const solana = chainOf('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
const ethereum = chainOf('eip155:1')

function createSource(data: readonly HistoryItem[] = []) {
  const bus = createInProcessBus()
  const loads: string[] = []
  const own: HistorySource = {
    covers: () => true,
    page: async ({ address }) => {
      loads.push(address)
      return { data, next: null }
    },
  }
  const [source = own] = cacheHistory([own], { bus, clock: { now: () => 1_000 } })
  const read = (chain: Chain, address: string) => source.page({ chains: [chain], address, cursor: undefined, size: 50 })
  return { bus, loads, read }
}

test('a request for a history in other letters does not change the history of the first address', async () => {
  const { loads, read } = createSource()
  const [address, other] = [
    'GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW',
    'gSBWXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW',
  ]
  await read(solana, other)
  await read(solana, address)
  expect(loads).toEqual([other, address])
})

test('a history of an EVM address is cached once for all spellings, until the index reports the address', async () => {
  const { bus, loads, read } = createSource()
  await read(ethereum, `0x${'AB'.repeat(20)}`)
  await read(ethereum, `0x${'ab'.repeat(20)}`)
  expect(loads).toHaveLength(1)
  publishIndexUpdate(bus, { chain: 'eip155:1', concerned: [`0x${'ab'.repeat(20)}`] })
  await read(ethereum, `0x${'AB'.repeat(20)}`)
  expect(loads).toHaveLength(2)
})

test('the histories of busy addresses take at most 128 MiB, so that the first of 1,500 pages is read again', async () => {
  const metadata: HistoryItem['metadata'] = {
    operationType: 'send',
    hash: `0x${'12'.repeat(32)}`,
    minedAt: '2026-01-01T00:00:00.000Z',
    sentFrom: `0x${'ab'.repeat(20)}`,
    sentTo: `0x${'cd'.repeat(20)}`,
    status: 'confirmed',
    nonce: 1,
    application: null,
    chain: 'eip155:1',
  }
  const transfer: HistoryTransfer = {
    fungible_info: null,
    nft_info: null,
    direction: 'in',
    quantity: { numeric: '1' },
    value: null,
    price: null,
  }
  const item: HistoryItem = { id: metadata.hash, metadata, transfers: [transfer, transfer, transfer] }
  const { loads, read } = createSource(Array.from({ length: 50 }, () => item))
  const toAddress = (index: number): string => `0x${index.toString(16).padStart(40, '0')}`
  for (let each = 0; each < 1_500; each += 1) await read(ethereum, toAddress(each))
  expect(loads).toHaveLength(1_500)
  await read(ethereum, toAddress(1_499))
  expect(loads).toHaveLength(1_500)
  await read(ethereum, toAddress(0))
  expect(loads).toHaveLength(1_501)
})

test('all sources of histories share the memory of one cache', async () => {
  const loads: string[] = []
  const createOwn = (name: string): HistorySource => ({
    covers: () => true,
    page: async () => {
      loads.push(name)
      return { data: [], next: null }
    },
  })
  const options = { bus: createInProcessBus(), clock: { now: () => 1_000 }, maxBytes: 10_000 }
  const [one, other] = cacheHistory([createOwn('one'), createOwn('other')], options)
  const read = (source: HistorySource | undefined, chain: Chain, index: number) =>
    source?.page({ chains: [chain], address: `0x${index.toString(16).padStart(40, '0')}`, cursor: undefined, size: 50 })
  await read(one, ethereum, 0)
  await read(one, ethereum, 0)
  expect(loads).toEqual(['one'])
  for (let index = 0; index < 20; index += 1) await read(other, solana, index)
  await read(one, ethereum, 0)
  expect(loads.filter((name) => name === 'one')).toHaveLength(2)
})
