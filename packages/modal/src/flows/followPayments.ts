import type { Latchkey } from '@latchkey/core'
import { claimOutcome, trackPurchases } from '@latchkey/core/internal'
import { pendingTransactions, trackPending } from '@latchkey/core/money'
import { holdingsMessages, type HoldingsMessages } from '../messages/generated/index.ts'
import type { Reasons } from '../messages/reasonText.ts'
import { modalOf } from '../modal.ts'
import { currentEntry, type ModalState } from '../navigation/modalState.ts'
import {
  createOutcomeReporter,
  followUnseenOutcomes,
  reportOutcome,
  type FormatAmounts,
} from './createOutcomeReporter.ts'
import { followPendingTexts } from './followPendingTexts.ts'

export type FollowPaymentsOptions = {
  /** False to check only when the page becomes visible again. Defaults to true. */
  polls?: boolean
  /** The texts of the current language; English if omitted. */
  messages?: HoldingsMessages
  /** The reasons of failures in that language; English if omitted. */
  reasons?: Reasons
  /** Formats amounts in that language; in the English format if omitted. */
  formatAmounts?: FormatAmounts
}

/**
 * Resolves the pending transactions of the connected accounts, including those of earlier page loads, and shows a toast
 * for each. The toast replaces the one that said the outcome is unknown. While the modal is closed, the toast stays until
 * the user closes it or opens the modal. Only one tab shows it. The buttons show the number of pending transactions.
 * Purchases that this browser started are followed, too.
 *
 * @returns a function that stops it
 * @example const stop = followPayments(latchkey)
 */
export function followPayments(
  latchkey: Latchkey,
  { polls = true, messages = holdingsMessages.english, reasons, formatAmounts }: FollowPaymentsOptions = {},
): () => void {
  const { state, tasks, pendingTexts } = modalOf(latchkey)
  const reporter = createOutcomeReporter(latchkey, { messages, reasons, formatAmounts })
  tasks.reporter = reporter
  const stops = [
    trackPending(latchkey, {
      polls,
      onOutcome: (transaction, outcome) => void reportOutcome(latchkey, transaction, outcome),
    }),
    followPendingTexts({ wallet: latchkey.wallet, pending: pendingTransactions(latchkey), pendingTexts }, messages),
    trackPurchases(latchkey, {
      onOutcome: ({ chainId }, purchase) => {
        const isShown = isPurchaseShown(state.getState())
        void claimOutcome(latchkey, { chainId, hash: purchase.id }, purchase.status).then((isClaimed) => {
          if (isClaimed && !isShown) reporter.showPurchase(purchase)
        })
      },
    }),
    followUnseenOutcomes(latchkey),
  ]
  return () => {
    for (const stop of stops) stop()
    if (tasks.reporter === reporter) tasks.reporter = undefined
  }
}

/** True if the view of the purchase tells the user itself. */
function isPurchaseShown(state: ModalState): boolean {
  return state.open && currentEntry(state).view === 'BuyInProgress'
}
