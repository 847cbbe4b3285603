import { systemClock, type Clock, type Receipt } from '@latchkey/core'
import { LatchkeyError, type Network } from '@latchkey/protocol'
import { fieldOf, readSource } from './esplora.ts'

/** How often a transaction is looked for; blocks come every ten minutes. */
const pollMilliseconds = 5_000

type WaitOptions = { timeout: number; signal?: AbortSignal }

/**
 * Waits until a transaction is in a block. Sources that fail meanwhile are asked again: whether it was mined does not
 * depend on them, so the wait ends with `transaction/pending` and never with a failure of its own.
 */
export async function waitForReceipt(
  clock: Clock = systemClock,
  network: Network,
  hash: string,
  { timeout, signal }: WaitOptions,
): Promise<Receipt> {
  const height = await new Promise<bigint | undefined>((resolve) => {
    let over = false
    let cancelNext = (): void => {}
    const finish = (found?: bigint): void => {
      over = true
      cancelDeadline()
      cancelNext()
      signal?.removeEventListener('abort', giveUp)
      resolve(found)
    }
    const giveUp = (): void => finish()
    const look = async (): Promise<void> => {
      const found = await heightOf(network, hash, clock).catch(() => undefined)
      if (over) return
      if (found !== undefined) finish(found)
      else cancelNext = clock.after(pollMilliseconds, () => void look())
    }
    const cancelDeadline = clock.after(timeout, giveUp)
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted === true) giveUp()
    else void look()
  })
  if (height !== undefined) return { hash, blockNumber: height }
  throw new LatchkeyError('transaction/pending', { hash, seconds: Math.round(timeout / 1000) })
}

/** The block that a transaction is in; undefined before it is in one. */
async function heightOf(network: Network, hash: string, clock: Clock): Promise<bigint | undefined> {
  if (!/^[0-9a-f]{64}$/i.test(hash)) return undefined
  const status = await readSource(network, `tx/${hash}/status`, clock)
  const height = fieldOf(status, 'block_height')
  const isMined = fieldOf(status, 'confirmed') === true && Number.isSafeInteger(height)
  return isMined ? BigInt(Number(height)) : undefined
}
