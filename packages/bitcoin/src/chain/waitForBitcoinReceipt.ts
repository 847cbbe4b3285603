import { pollUntil } from '@latchkey/adapter-kit'
import { systemClock, type Clock, type Receipt } from '@latchkey/core'
import { getField, type Network, transactionError } from '@latchkey/protocol'
import { requestEsploraJson } from './esplora.ts'

/** Milliseconds between two requests. Bitcoin has a block every ten minutes. */
const intervalMs = 5_000

/**
 * Waits until a transaction is in a block. Failed requests are repeated.
 *
 * @throws LatchkeyError `transaction/pending` after the timeout
 */
export async function waitForBitcoinReceipt(
  clock: Clock = systemClock,
  network: Network,
  hash: string,
  { timeout, signal }: { timeout: number; signal?: AbortSignal },
): Promise<Receipt> {
  const look = (): Promise<bigint | undefined> => findBlockHeight(network, hash, clock)
  const blockNumber = await pollUntil(look, { clock, intervalMs, timeout, signal })
  if (blockNumber !== undefined) return { hash, blockNumber }
  throw transactionError('transaction/pending', { hash, seconds: Math.round(timeout / 1000) })
}

/** Returns the height of the block with a transaction, or `undefined` if it is not in a block yet. */
async function findBlockHeight(network: Network, hash: string, clock: Clock): Promise<bigint | undefined> {
  if (!/^[0-9a-f]{64}$/i.test(hash)) return undefined
  const status = await requestEsploraJson(network, `tx/${hash}/status`, clock)
  const height = getField(status, 'block_height')
  const isMined = getField(status, 'confirmed') === true && Number.isSafeInteger(height)
  return isMined ? BigInt(Number(height)) : undefined
}
