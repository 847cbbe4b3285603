import type { Balance, Clock } from '@latchkey/core'
import { LatchkeyError, type Network } from '@latchkey/protocol'
import { checkedAddress } from './checkedAddress.ts'
import { fieldOf, readSource } from './esplora.ts'

/** Reads what an address holds: the outputs that it can spend, those that are not in a block yet included. */
export async function getBalance(clock: Clock | undefined, network: Network, address: string): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  const path = `address/${checkedAddress(network.caipNetworkId, address)}`
  const answer = await readSource(network, path, clock)
  const sums = ['chain_stats', 'mempool_stats'].flatMap((stats) => [
    satoshis(fieldOf(answer, stats, 'funded_txo_sum')),
    satoshis(fieldOf(answer, stats, 'spent_txo_sum')),
  ])
  const [funded = 0n, spent = 0n, funding, spending] = sums
  if (sums.includes(undefined) || funding === undefined || spending === undefined) {
    throw new LatchkeyError('rpc/unreachable', { network: network.name })
  }
  return { value: funded - spent + funding - spending, decimals, symbol }
}

/** An amount of an answer. All bitcoins together fit in a number without loss. */
export function satoshis(value: unknown): bigint | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
}
