import { LatchkeyError } from '@latchkey/protocol'

/** How sure a node has to be of something: seen, voted for, or irreversible. The other names are older ones for these. */
export type Commitment = keyof typeof commitments

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

/** The same in today's names, which are all that wallets know. */
export type CheckedOptions = Omit<SendOptions, 'preflightCommitment'> & {
  preflightCommitment?: 'processed' | 'confirmed' | 'finalized'
}

/** The commitments of Solana, each with its name of today. */
export const commitments = {
  processed: 'processed',
  confirmed: 'confirmed',
  finalized: 'finalized',
  recent: 'processed',
  single: 'confirmed',
  singleGossip: 'confirmed',
  root: 'finalized',
  max: 'finalized',
} as const

/**
 * Checks how a transaction is to be sent, before a wallet sees it.
 *
 * @throws LatchkeyError `config/invalid`, listing every mistake at once.
 */
export function checkedOptions(options: SendOptions): CheckedOptions {
  const { preflightCommitment: commitment, skipPreflight, maxRetries, minContextSlot } = options
  const problems: string[] = []
  const isCount = (value: unknown): boolean =>
    value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)
  if (commitment !== undefined && !Object.hasOwn(commitments, commitment)) {
    problems.push(`preflightCommitment: "${String(commitment)}" is none of ${Object.keys(commitments).join(', ')}`)
  }
  if (skipPreflight !== undefined && typeof skipPreflight !== 'boolean')
    problems.push('skipPreflight: is not a boolean')
  if (!isCount(maxRetries)) problems.push('maxRetries: is not a whole number')
  if (!isCount(minContextSlot)) problems.push('minContextSlot: is not a whole number')
  if (problems.length > 0) throw new LatchkeyError('config/invalid', { problems })
  const preflightCommitment = commitment === undefined ? undefined : commitments[commitment]
  return { preflightCommitment, skipPreflight, maxRetries, minContextSlot }
}
