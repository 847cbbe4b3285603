import type { TokenBalance } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { publishIndexUpdate } from '../../indexer/indexUpdates.ts'
import { createBusListeners, type Bus } from '../../kit/bus/bus.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import type { BalanceSource } from './balanceSource.ts'
import { cacheBalances } from './cacheBalances.ts'

const clock = { now: () => 1_000 }
const addressOf = (seed: number): string => `0x${seed.toString(16).padStart(40, '0')}`
const chainOf = (caipNetworkId: Chain['caipNetworkId']): Chain => ({
  caipNetworkId,
  name: caipNetworkId,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [],
  tokens: [],
})
const [first, second] = [chainOf('eip155:1'), chainOf('eip155:10')]

/** Buses of several processes that count the published messages. */
function createBuses(count: number): { buses: readonly Bus[]; published: () => number } {
  const listeners = createBusListeners()
  let published = 0
  const bus: Bus = {
    spansProcesses: true,
    isReachable: () => true,
    publish(channel, message) {
      published += 1
      listeners.emit(channel, message)
    },
    subscribe(channel, listener) {
      listeners.add(channel, listener)
      return { ready: undefined, stop: () => void listeners.remove(channel, listener) }
    },
    onGap: () => undefined,
    close: async () => listeners.clear(),
  }
  return { buses: Array.from({ length: count }, () => bus), published: () => published }
}

/** Counts how often the balances of an address were loaded. */
function createSource(bus: Bus): { source: BalanceSource; loads: string[] } {
  const loads: string[] = []
  const balances = async ({ caipNetworkId }: Chain, address: string): Promise<readonly TokenBalance[]> => {
    loads.push(`${caipNetworkId}/${address}`)
    return []
  }
  const own: BalanceSource = { covers: () => true, balances }
  const [source = own] = cacheBalances([own], { bus, clock })
  return { source, loads }
}

test('an update of 5,000 addresses reloads only their balances on their chain', async () => {
  const [bus] = createBuses(1).buses
  if (bus === undefined) throw new Error('The test has no bus.')
  const { source, loads } = createSource(bus)
  const read = (): Promise<unknown> =>
    Promise.all([
      source.balances(first, addressOf(4_999)),
      source.balances(first, addressOf(9_999)),
      source.balances(second, addressOf(4_999)),
    ])
  await read()
  publishIndexUpdate(bus, { chain: 'eip155:1', concerned: Array.from({ length: 5_000 }, (_, seed) => addressOf(seed)) })
  loads.length = 0
  await read()
  expect(loads).toEqual([`eip155:1/${addressOf(4_999)}`])
})

test('a reorg reloads the balances of its chain only', async () => {
  const [bus] = createBuses(1).buses
  if (bus === undefined) throw new Error('The test has no bus.')
  const { source, loads } = createSource(bus)
  const read = (): Promise<unknown> =>
    Promise.all([source.balances(first, addressOf(1)), source.balances(second, addressOf(1))])
  await read()
  publishIndexUpdate(bus, { chain: 'eip155:1', concerned: undefined })
  loads.length = 0
  await read()
  expect(loads).toEqual([`eip155:1/${addressOf(1)}`])
})

test('an update is published once, however many processes cache balances', () => {
  const { buses, published } = createBuses(5)
  for (const bus of buses) createSource(bus)
  const [bus] = buses
  if (bus !== undefined) publishIndexUpdate(bus, { chain: 'eip155:1', concerned: [addressOf(1)] })
  expect(published()).toBe(1)
})

test('a request for an address in other letters does not change the balances of the first one', async () => {
  const [bus] = createBuses(1).buses
  if (bus === undefined) throw new Error('The test has no bus.')
  const { source, loads } = createSource(bus)
  const solana = chainOf('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
  const [address, other] = [
    'GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW',
    'gSBWXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW',
  ]
  await source.balances(solana, other)
  await source.balances(solana, address)
  await source.balances(first, `0x${'AB'.repeat(20)}`)
  await source.balances(first, `0x${'ab'.repeat(20)}`)
  expect(loads).toEqual(
    [other, address].map((each) => `${solana.caipNetworkId}/${each}`).concat(`eip155:1/0x${'AB'.repeat(20)}`),
  )
})

test('balances that were requested from the chain before an update are not cached after it', async () => {
  const [bus] = createBuses(1).buses
  if (bus === undefined) throw new Error('The test has no bus.')
  const finishers: (() => void)[] = []
  const balances = () => new Promise<readonly TokenBalance[]>((resolve) => finishers.push(() => resolve([])))
  const own: BalanceSource = { covers: () => true, balances }
  const [source = own] = cacheBalances([own], { bus, clock })
  const fresh = source.balances(first, addressOf(1), { fresh: true })
  publishIndexUpdate(bus, { chain: 'eip155:1', concerned: [addressOf(1)] })
  finishers[0]?.()
  await fresh
  const next = source.balances(first, addressOf(1))
  expect(finishers).toHaveLength(2)
  finishers[1]?.()
  await next
})
