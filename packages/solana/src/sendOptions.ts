import { LatchkeyError } from '@latchkey/protocol'

/** How sure a node has to be of something: seen, voted for, or irreversible. */
export type Commitment = (typeof commitments)[number]

/** How a transaction is sent. */
export type SendOptions = {
  /** How sure the node has to be of the state that it tries the transaction on. */
  preflightCommitment?: Commitment
  /** Sends without trying first: a transaction that fails is paid for. */
  skipPreflight?: boolean
  /** How often the node sends it again. */
  maxRetries?: number
  /** The oldest state to try it on. */
  minContextSlot?: number
}

/** The commitments of Solana. Older names for the same (`recent`, `max`, …) are not taken. */
export const commitments = ['processed', 'confirmed', 'finalized'] as const

/**
 * Checks how a transaction is to be sent, before a wallet sees it.
 *
 * @throws LatchkeyError `config/invalid`, listing every mistake at once.
 */
export function checkedOptions(options: SendOptions): SendOptions {
  const { preflightCommitment, skipPreflight, maxRetries, minContextSlot } = options
  const problems: string[] = []
  const isCount = (value: unknown): boolean =>
    value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)
  if (preflightCommitment !== undefined && !commitments.includes(preflightCommitment)) {
    problems.push(`preflightCommitment: "${String(preflightCommitment)}" is none of ${commitments.join(', ')}`)
  }
  if (skipPreflight !== undefined && typeof skipPreflight !== 'boolean')
    problems.push('skipPreflight: is not a boolean')
  if (!isCount(maxRetries)) problems.push('maxRetries: is not a whole number')
  if (!isCount(minContextSlot)) problems.push('minContextSlot: is not a whole number')
  if (problems.length > 0) throw new LatchkeyError('config/invalid', { problems })
  return { preflightCommitment, skipPreflight, maxRetries, minContextSlot }
}
