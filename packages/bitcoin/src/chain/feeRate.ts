import type { Clock } from '@latchkey/core'
import { getField, type Network } from '@latchkey/protocol'
import { requestEsploraJson } from './esplora.ts'

/** The fee is chosen so that a payment is confirmed within this many blocks. */
const targetBlocks = '6'

/** In satoshis per 1,000 virtual bytes. No congestion led to a higher rate, so a higher value of a source is false. */
const feeRateLimits = { least: 1_000n, most: 2_000_000n } as const

/**
 * Returns the current fee rate in satoshis per 1,000 virtual bytes: from 1 to 2,000 per virtual byte.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function getFeeRate(network: Network, clock: Clock | undefined): Promise<bigint> {
  const rate = getField(await requestEsploraJson(network, 'fee-estimates', clock), targetBlocks)
  // A chain without enough blocks has no estimate.
  return limitFeeRate(typeof rate === 'number' && rate > 0 && rate < 1e9 ? BigInt(Math.ceil(rate * 1_000)) : 0n)
}

/** Returns the nearest fee rate within the limits. */
export function limitFeeRate(rate: bigint): bigint {
  const { least, most } = feeRateLimits
  if (rate < least) return least
  return rate > most ? most : rate
}
