import type { Latchkey } from '@latchkey/core'
import { pendingTransactions, trackPending, type TrackedOutcome } from '@latchkey/core/money'
import { claimOutcome } from '@latchkey/core/internal'
import { holdingsMessages, type HoldingsMessages } from '../messages/generated/index.ts'
import { modalOf, type ReportedTransaction } from '../modal.ts'
import { explorerLink } from '../notices/explorerLink.ts'
import { hideToast, showToast } from '../notices/showToast.ts'
import type { ToastState } from '../notices/toastState.ts'
import { followPendingTexts } from './followPendingTexts.ts'

export type FollowPaymentsOptions = {
  /** False to check only when the page becomes visible again. Defaults to true. */
  polls?: boolean
  /** The texts of the current language; English if omitted. */
  messages?: HoldingsMessages
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
  { polls = true, messages = holdingsMessages.english }: FollowPaymentsOptions = {},
): () => void {
  const { tasks, toast, pendingTexts } = modalOf(latchkey)
  const unseen: UnseenOutcomes = { message: undefined, count: 0, isScheduled: false }
  const report = (of: ReportedTransaction, outcome: TrackedOutcome): void => {
    void claimReport(latchkey, of, outcome).then((isClaimed) => {
      if (isClaimed) showOutcome({ latchkey, of, outcome, unseen, messages })
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

/** A replacement and its original have one outcome, which is shown once. */
async function claimReport(latchkey: Latchkey, of: ReportedTransaction, outcome: TrackedOutcome): Promise<boolean> {
  const { chainId, replaces } = of
  if (!(await claimOutcome(latchkey, of, outcome.status))) return false
  if (outcome.status !== 'mined' || replaces === undefined) return true
  return claimOutcome(latchkey, { chainId, hash: replaces }, 'replaced')
}

/** The outcomes that a toast above the page shows. */
type UnseenOutcomes = {
  message: string | undefined
  count: number
  /** True while the last toast closes, before this one appears. */
  isScheduled: boolean
}

type ShownOutcome = {
  latchkey: Latchkey
  of: ReportedTransaction
  outcome: TrackedOutcome
  unseen: UnseenOutcomes
  messages: HoldingsMessages
}

function showOutcome({ latchkey, of, outcome, unseen, messages }: ShownOutcome): void {
  const { state, toast } = modalOf(latchkey)
  const isGood = outcome.status === 'mined' || (outcome.status === 'replaced' && outcome.how !== 'other')
  const variant = isGood ? 'success' : 'error'
  const message = formatOutcome(of, outcome, messages.outcomes)
  if (state.getState().open) return showToast(latchkey, message, { variant })
  unseen.count = isShown(toast.getState(), unseen) ? unseen.count + 1 : 1
  const isAlone = unseen.count === 1
  const hash = outcome.status === 'replaced' ? outcome.by : of.hash
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
  { what, replaces }: ReportedTransaction,
  outcome: TrackedOutcome,
  messages: HoldingsMessages['outcomes'],
): string {
  switch (outcome.status) {
    case 'mined':
      if (replaces === undefined) return messages.mined
      return what?.kind === 'cancel' ? messages.cancelled : messages.repriced
    case 'reverted':
      return messages.reverted({ reason: outcome.reason })
    case 'replaced':
      return messages[outcome.how]
    default:
      return messages[outcome.status]
  }
}
