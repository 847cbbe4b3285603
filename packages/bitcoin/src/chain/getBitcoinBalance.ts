import type { Balance, Clock } from '@latchkey/core'
import { getField, type Network, networkError } from '@latchkey/protocol'
import { parseBitcoinAddress } from '../address/parseBitcoinAddress.ts'
import { requestEsploraJson } from './esplora.ts'

/** Reads the balance of an address in satoshis: its unspent outputs, unconfirmed ones included. */
export async function getBitcoinBalance(clock: Clock | undefined, network: Network, address: string): Promise<Balance> {
  const { decimals, symbol } = network.nativeCurrency
  const path = `address/${parseBitcoinAddress(network.caipNetworkId, address)}`
  const response = await requestEsploraJson(network, path, clock)
  const sums = ['chain_stats', 'mempool_stats'].flatMap((stats) => [
    parseSatoshis(getField(response, stats, 'funded_txo_sum')),
    parseSatoshis(getField(response, stats, 'spent_txo_sum')),
  ])
  const [funded = 0n, spent = 0n, funding, spending] = sums
  if (sums.includes(undefined) || funding === undefined || spending === undefined) {
    throw networkError('rpc/unreachable', { network: network.name })
  }
  return { value: funded - spent + funding - spending, decimals, symbol }
}

/** Reads an amount. The whole supply of bitcoin fits in a safe integer. */
export function parseSatoshis(value: unknown): bigint | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
}
