import { systemClock, type Receipt } from '@latchkey/core'
import { LatchkeyError, type Network } from '@latchkey/protocol'
import type { Hash, TransactionReceipt } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { readerOf, type Readers } from './readers.ts'
import { findRevertReason } from './revertReason.ts'

/** How often a transaction is looked for. */
const pollMilliseconds = 1_000

type WaitOptions = { timeout: number; signal?: AbortSignal }

/**
 * Waits until a transaction is mined. Endpoints that fail meanwhile are asked again: whether it was mined does not
 * depend on them, so the wait ends with `transaction/pending` and never with a failure of its own.
 */
export async function waitForReceipt(
  readers: Readers,
  network: Network,
  transaction: string,
  options: WaitOptions,
): Promise<Receipt> {
  const receipt = await lookFor(readers, network, transaction, options)
  if (receipt === undefined) {
    throw new LatchkeyError('transaction/pending', { hash: transaction, seconds: Math.round(options.timeout / 1000) })
  }
  const hash = receipt.transactionHash
  if (receipt.status === 'success') return { hash, blockNumber: receipt.blockNumber }
  const reason = await findRevertReason(readerOf(readers, network), receipt)
  throw new LatchkeyError('transaction/reverted', { hash, reason })
}

/** Looks until the time is up or the caller gave up; then there is nothing to show, and nothing goes on behind it. */
function lookFor(
  readers: Readers,
  network: Network,
  hash: string,
  { timeout, signal }: WaitOptions,
): Promise<TransactionReceipt | undefined> {
  const reader = readerOf(readers, network)
  const { clock = systemClock } = readers
  return new Promise((resolve) => {
    let over = false
    let cancelNext = (): void => {}
    const finish = (receipt?: TransactionReceipt): void => {
      over = true
      cancelDeadline()
      cancelNext()
      signal?.removeEventListener('abort', giveUp)
      resolve(receipt)
    }
    const giveUp = (): void => finish()
    const look = async (): Promise<void> => {
      const receipt = await translated(readers, hash)
        .then((known) => getTransactionReceipt(reader, { hash: known }))
        .catch(() => undefined)
      if (over) return
      if (receipt !== undefined) finish(receipt)
      else cancelNext = clock.after(pollMilliseconds, () => void look())
    }
    const cancelDeadline = clock.after(timeout, giveUp)
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted === true) giveUp()
    else void look()
  })
}

/** A contract wallet gives the hash of its own order first; the chain's hash is known when it is carried out. */
export async function translated({ translators }: Readers, hash: string): Promise<Hash> {
  const answers = await Promise.all(translators.map((translate) => translate(hash)))
  // Checked when the wallet gave it; a text of another form is a hash that no chain knows.
  return (answers.find((answer) => answer !== undefined) ?? hash) as Hash
}
