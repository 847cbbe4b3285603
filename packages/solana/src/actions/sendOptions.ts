import { configError } from '@latchkey/protocol'

/** The required finality of a state: processed, confirmed by vote, or finalized. The other names are older synonyms. */
export type Commitment = keyof typeof commitments

/** Options for sending a transaction. */
export type SendOptions = {
  /** The commitment of the state on which the node simulates the transaction. */
  preflightCommitment?: Commitment
  /** Sends without a simulation. A transaction that then fails still costs its fee. */
  skipPreflight?: boolean
  /** Number of times that the node sends the transaction again. */
  maxRetries?: number
  /** The lowest slot at which the node may simulate it. */
  minContextSlot?: number
}

/** Send options with the current commitment names, which are the only ones that wallets know. */
export type ParsedSendOptions = Omit<SendOptions, 'preflightCommitment'> & {
  preflightCommitment?: 'processed' | 'confirmed' | 'finalized'
}

/** The commitments of Solana, each with its current name. */
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
 * Validates send options before they reach a wallet.
 *
 * @throws LatchkeyError `config/invalid` with all mistakes
 */
export function parseSendOptions(options: SendOptions): ParsedSendOptions {
  const { preflightCommitment: commitment, skipPreflight, maxRetries, minContextSlot } = options
  const problems: string[] = []
  const isCount = (value: unknown): boolean =>
    value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)
  if (commitment !== undefined && !Object.hasOwn(commitments, commitment)) {
    problems.push(`preflightCommitment: "${String(commitment)}" is not one of ${Object.keys(commitments).join(', ')}`)
  }
  if (skipPreflight !== undefined && typeof skipPreflight !== 'boolean')
    problems.push('skipPreflight: is not a boolean')
  if (!isCount(maxRetries)) problems.push('maxRetries: is not a whole number')
  if (!isCount(minContextSlot)) problems.push('minContextSlot: is not a whole number')
  if (problems.length > 0) throw configError('config/invalid', { problems })
  const preflightCommitment = commitment === undefined ? undefined : commitments[commitment]
  return { preflightCommitment, skipPreflight, maxRetries, minContextSlot }
}
