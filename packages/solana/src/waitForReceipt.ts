import { systemClock, type Receipt } from '@latchkey/core'
import { LatchkeyError, type Network } from '@latchkey/protocol'
import { signature as toSignature, type Signature } from '@solana/kit'
import { failureReason } from './failureReason.ts'
import { readerOf, type Reader, type Readers } from './readers.ts'
import { readSignature } from './wire.ts'

/** How often a transaction is looked for. */
const pollMilliseconds = 1_000

type WaitOptions = { timeout: number; signal?: AbortSignal }

/** What became of a transaction. */
type Outcome = { slot: bigint; error: unknown }

/**
 * Waits until a transaction is confirmed. Endpoints that fail meanwhile are asked again: whether it was confirmed does
 * not depend on them, so the wait ends with `transaction/pending` and never with a failure of its own.
 */
export async function waitForReceipt(
  readers: Readers,
  network: Network,
  hash: string,
  options: WaitOptions,
): Promise<Receipt> {
  const reader = readerOf(readers, network)
  const known = readSignature(hash)
  // A text of another form is a signature that no chain knows.
  const look = async (): Promise<Outcome | undefined> =>
    known === undefined ? undefined : findOutcome(reader, toSignature(known))
  const outcome = await lookFor(readers, look, options)
  if (outcome === undefined) {
    throw new LatchkeyError('transaction/pending', { hash, seconds: Math.round(options.timeout / 1000) })
  }
  if (outcome.error === null) return { hash, blockNumber: outcome.slot }
  const logs = await logsOf(reader, toSignature(hash)).catch(() => undefined)
  throw new LatchkeyError('transaction/reverted', { hash, reason: failureReason(logs, outcome.error) })
}

async function findOutcome(reader: Reader, signature: Signature): Promise<Outcome | undefined> {
  const { value } = await reader.getSignatureStatuses([signature]).send()
  const [status] = value
  if (status === null || status === undefined || status.confirmationStatus === 'processed') return undefined
  return { slot: status.slot, error: status.err }
}

async function logsOf(reader: Reader, signature: Signature): Promise<unknown> {
  const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const
  const transaction = await reader.getTransaction(signature, config).send()
  return transaction?.meta?.logMessages
}

/** Looks until the time is up or the caller gave up; then there is nothing to show, and nothing goes on behind it. */
function lookFor(
  { clock = systemClock }: Readers,
  look: () => Promise<Outcome | undefined>,
  { timeout, signal }: WaitOptions,
): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    let over = false
    let cancelNext = (): void => {}
    const finish = (outcome?: Outcome): void => {
      over = true
      cancelDeadline()
      cancelNext()
      signal?.removeEventListener('abort', giveUp)
      resolve(outcome)
    }
    const giveUp = (): void => finish()
    const lookOnce = async (): Promise<void> => {
      const outcome = await look().catch(() => undefined)
      if (over) return
      if (outcome !== undefined) finish(outcome)
      else cancelNext = clock.after(pollMilliseconds, () => void lookOnce())
    }
    const cancelDeadline = clock.after(timeout, giveUp)
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted === true) giveUp()
    else void lookOnce()
  })
}
