import { expect, test } from 'vitest'
import { publishIndexUpdate } from '../../indexer/indexUpdates.ts'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { cacheHistory } from './cacheHistory.ts'

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

function createSource() {
  const bus = createInProcessBus()
  const loads: string[] = []
  const source = cacheHistory(
    {
      covers: () => true,
      page: async ({ address }) => {
        loads.push(address)
        return { data: [], next: null }
      },
    },
    { bus, clock: { now: () => 1_000 } },
  )
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
