import type { Latchkey } from '@latchkey/core'
import { pendingTransactions, trackPending, type TrackedOutcome } from '@latchkey/core/money'
import { claimOutcome } from '@latchkey/core/internal'
import type { ChainId } from '@latchkey/protocol'
import { holdingsMessages, type HoldingsMessages } from '../messages/generated/index.ts'
import { reasonText, type Reasons } from '../messages/reasonText.ts'
import { modalOf } from '../modal.ts'
import { explorerLink, getMinedHash } from '../notices/explorerLink.ts'
import { hideToast, showToast } from '../notices/showToast.ts'
import type { ToastState } from '../notices/toastState.ts'
import { followPendingTexts } from './followPendingTexts.ts'

export type FollowPaymentsOptions = {
  /** False to check only when the page becomes visible again. Defaults to true. */
  polls?: boolean
  /** The texts of the current language; English if omitted. */
  messages?: HoldingsMessages
  /** The reasons of failures in that language; English if omitted. */
  reasons?: Reasons
}

/**
 * Resolves the pending transactions of the connected accounts, including those of earlier page loads, and shows a toast
 * for each. The toast replaces the one that said the outcome is unknown. While the modal is closed, the toast stays until
 * the user closes it or opens the modal. Only one tab shows it. The buttons show the number of pending transactions.
 *
 * @returns a function that stops it
 * @example const stop = followPayments(latchkey)
 */
export function followPayments(
  latchkey: Latchkey,
  { polls = true, messages = holdingsMessages.english, reasons }: FollowPaymentsOptions = {},
): () => void {
  const { tasks, toast, pendingTexts } = modalOf(latchkey)
  const unseen: UnseenOutcomes = { message: undefined, count: 0, isScheduled: false }
  const report = (of: Identity, outcome: TrackedOutcome): void => {
    void claimOutcome(latchkey, of, outcome.status).then((isClaimed) => {
      if (isClaimed) showOutcome({ latchkey, of, outcome, unseen, messages, reasons })
    })
  }
  tasks.reportOutcome = report
  const stops = [
    trackPending(latchkey, { polls, onOutcome: report }),
    followPendingTexts({ wallet: latchkey.wallet, pending: pendingTransactions(latchkey), pendingTexts }, messages),
    toast.subscribe(({ open }) => {
      if (open) unseen.isScheduled = false
    }),
    latchkey.events.subscribe(({ type }) => {
      // The activity of the open modal shows the outcomes.
      if (type === 'modal-open' && isShown(toast.getState(), unseen)) hideToast(latchkey)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
    if (tasks.reportOutcome === report) tasks.reportOutcome = undefined
  }
}

type Identity = { readonly chainId: ChainId; readonly hash: string }

/** The outcomes that a toast above the page shows. */
type UnseenOutcomes = {
  message: string | undefined
  count: number
  /** True while the last toast closes, before this one appears. */
  isScheduled: boolean
}

type ShownOutcome = {
  latchkey: Latchkey
  of: Identity
  outcome: TrackedOutcome
  unseen: UnseenOutcomes
  messages: HoldingsMessages
  reasons: Reasons | undefined
}

function showOutcome({ latchkey, of, outcome, unseen, messages, reasons }: ShownOutcome): void {
  const { state, toast } = modalOf(latchkey)
  const isGood = outcome.status === 'mined' || (outcome.status === 'replaced' && outcome.how !== 'other')
  const variant = isGood ? 'success' : 'error'
  const message = formatOutcome(outcome, messages.outcomes, reasons)
  if (state.getState().open) return showToast(latchkey, message, { variant })
  unseen.count = isShown(toast.getState(), unseen) ? unseen.count + 1 : 1
  const isAlone = unseen.count === 1
  const hash = outcome.status === 'reorged' ? of.hash : getMinedHash(outcome)
  const link = explorerLink(latchkey, { chainId: of.chainId, hash }, messages.details.explorer)
  const text = isAlone ? message : messages.outcomes.several({ count: unseen.count })
  unseen.message = text
  const replacesToast = toast.getState().open
  showToast(latchkey, text, {
    variant: isAlone ? variant : 'info',
    autoClose: false,
    link: isAlone ? link : undefined,
  })
  unseen.isScheduled = replacesToast || unseen.isScheduled
}

/** True while the toast of the last outcomes is open, or about to open. */
function isShown(toast: ToastState, { message, isScheduled }: UnseenOutcomes): boolean {
  return toast.open ? toast.message === message : isScheduled
}

function formatOutcome(
  outcome: TrackedOutcome,
  messages: HoldingsMessages['outcomes'],
  reasons: Reasons | undefined,
): string {
  switch (outcome.status) {
    case 'reverted':
      return messages.reverted({ reason: reasonText(outcome.reason, reasons) })
    case 'replaced':
      return messages[outcome.how]
    default:
      return messages[outcome.status]
  }
}
