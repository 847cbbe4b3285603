import type { Latchkey } from '@latchkey/core'
import { trackPending, type TrackedOutcome } from '@latchkey/core/money'
import { holdingsMessages, type HoldingsMessages } from '../messages/generated/index.ts'
import { showToast } from '../notices/showToast.ts'

export type FollowPaymentsOptions = {
  /** False to check only when the page becomes visible again. Defaults to true. */
  polls?: boolean
  /** The texts of the language in use; English if omitted. */
  messages?: HoldingsMessages
}

/**
 * Resolves the pending transactions of the connected accounts, also those of earlier page loads, and shows a toast for
 * each. It replaces the toast that said that the outcome is unknown.
 *
 * @returns a function that stops it
 * @example const stop = followPayments(latchkey)
 */
export function followPayments(
  latchkey: Latchkey,
  { polls = true, messages = holdingsMessages.english }: FollowPaymentsOptions = {},
): () => void {
  return trackPending(latchkey, {
    polls,
    onOutcome(_transaction, outcome) {
      const isGood = outcome.status === 'mined' || (outcome.status === 'replaced' && outcome.how !== 'other')
      showToast(latchkey, formatOutcome(outcome, messages.outcomes), { variant: isGood ? 'success' : 'error' })
    },
  })
}

function formatOutcome(outcome: TrackedOutcome, messages: HoldingsMessages['outcomes']): string {
  switch (outcome.status) {
    case 'reverted':
      return messages.reverted({ reason: outcome.reason })
    case 'replaced':
      return messages[outcome.how]
    default:
      return messages[outcome.status]
  }
}
