import { displayAmount, formatAmount, type Latchkey } from '@latchkey/core'
import {
  approveSwap,
  closeSwap,
  openSwap,
  reviewSwap,
  swapNow,
  type CallsOutcome,
  type OpenSwapOptions,
  type SentSwap,
  type SwapToken,
} from '@latchkey/core/money'
import { swapMessages, type SwapMessages } from '../messages/generated/index.ts'
import { reasonText, type Reasons } from '../messages/reasonText.ts'
import { modalOf } from '../modal.ts'
import type { ViewName } from '../navigation/views.ts'
import { pushView, resetView } from '../navigation/openModal.ts'
import { getMinedHash } from '../notices/explorerLink.ts'
import { showPendingToast, showToast } from '../notices/showToast.ts'
import { getReporter, showOutcome } from './createOutcomeReporter.ts'

/** The messages about a swap that the wallet sent. */
export type SwapNotices = SwapMessages['notices']

/** Formats the exact amount of a swap with the symbol of its token. */
export type FormatSwapAmount = (units: bigint, token: SwapToken) => string

const swapViews: readonly ViewName[] = ['Swap', 'SwapSelectToken', 'SwapPreview']

/**
 * Begins a swap. It ends when the user leaves the swap views.
 *
 * @example await openSwapFlow(latchkey, { amount: '1.5' })
 */
export async function openSwapFlow(latchkey: Latchkey, options?: OpenSwapOptions): Promise<void> {
  followSwapViews(latchkey)
  await openSwap(latchkey, options)
}

function followSwapViews(latchkey: Latchkey): void {
  const { state, tasks } = modalOf(latchkey)
  tasks.stopFollowingSwap?.()
  let wasShown = isSwapShown(latchkey)
  tasks.stopFollowingSwap = state.subscribe(() => {
    const isShown = isSwapShown(latchkey)
    if (wasShown && !isShown) {
      tasks.stopFollowingSwap?.()
      closeSwap(latchkey)
    }
    wasShown = isShown
  })
}

/**
 * Shows the swap for review, if the form is complete.
 *
 * @returns when the order is prepared
 * @example await reviewSwapFlow(latchkey)
 */
export async function reviewSwapFlow(latchkey: Latchkey): Promise<void> {
  const { isShown, prepared } = reviewSwap(latchkey)
  if (isShown) pushView(latchkey, { view: 'SwapPreview', params: {} })
  await prepared
}

/**
 * Sends the swap, returns to the account, and shows notices.
 *
 * @param notices the messages; English if omitted
 * @param formatAmountOf formats the given amount; in the English format if omitted
 * @param reasons the reasons of a reverted swap; English if omitted
 * @returns the outcome; `undefined` if nothing was sent
 * @throws never
 * @example const outcome = await confirmSwap(latchkey)
 */
export async function confirmSwap(
  latchkey: Latchkey,
  notices: SwapNotices = swapMessages.english.notices,
  formatAmountOf: FormatSwapAmount = formatGiven,
  reasons?: Reasons,
): Promise<CallsOutcome | undefined> {
  const sent = await swapNow(latchkey)
  if (sent === undefined) return undefined
  if (!sent.isAbandoned && isSwapShown(latchkey)) resetView(latchkey, { view: 'Account', params: {} })
  return showSwapNotices(latchkey, sent, { notices, formatAmountOf, reasons })
}

type SwapTexts = { notices: SwapNotices; formatAmountOf: FormatSwapAmount; reasons: Reasons | undefined }

async function showSwapNotices(
  latchkey: Latchkey,
  { quote, transaction, outcome: pending }: SentSwap,
  { notices, formatAmountOf, reasons }: SwapTexts,
): Promise<CallsOutcome> {
  const { from, to, amount, exact } = quote.request
  // Only the exact amount is known before the swap is mined.
  const tokens =
    exact === 'from'
      ? { from: formatAmountOf(amount, from), to: to.symbol }
      : { from: from.symbol, to: formatAmountOf(amount, to) }
  showToast(latchkey, notices.swapping(tokens), { variant: 'loading' })
  const outcome = await pending
  const text = formatSwapOutcome(outcome, tokens, { notices, reasons })
  if (outcome.status === 'unknown') {
    const link = getReporter(latchkey).linkTo({ chainId: quote.request.chainId, hash: getMinedHash(outcome) })
    showPendingToast(latchkey, text, { hash: transaction.hash, link })
  } else await showOutcome(latchkey, transaction, outcome, text)
  return outcome
}

/**
 * Requests the approval of a swap, or the removal of a leftover allowance before it. The view of the swap shows the
 * outcome. If the user left it, a notice does.
 *
 * @throws never
 * @example await confirmApproval(latchkey)
 */
export async function confirmApproval(latchkey: Latchkey): Promise<void> {
  const sent = await approveSwap(latchkey)
  if (sent === undefined || isSwapShown(latchkey)) return
  const { transaction, outcome } = sent
  // An approval with an unknown outcome stays on the list, and is reported later.
  if (outcome.status !== 'unknown') await showOutcome(latchkey, transaction, outcome)
}

/** True if the swap was executed as a whole. */
function isSwapped(outcome: CallsOutcome): boolean {
  return outcome.status === 'mined' || (outcome.status === 'replaced' && outcome.how === 'repriced')
}

function formatSwapOutcome(
  outcome: CallsOutcome,
  tokens: { from: string; to: string },
  { notices, reasons }: Pick<SwapTexts, 'notices' | 'reasons'>,
): string {
  if (isSwapped(outcome)) return notices.swapped(tokens)
  switch (outcome.status) {
    case 'reverted':
      return notices.reverted({ reason: reasonText(outcome.reason, reasons) })
    case 'failed':
    case 'partly-reverted':
    case 'unknown':
      return notices[outcome.status]
    default:
      return outcome.status === 'replaced' && outcome.how === 'other' ? notices.replaced : notices.cancelled
  }
}

/** Formats with three decimals, or with all of them if a small amount would read as zero. */
function formatGiven(units: bigint, { decimals, symbol }: SwapToken): string {
  const short = displayAmount(units, decimals)
  return `${units > 0n && /^[0.,]+$/.test(short) ? formatAmount(units, decimals) : short} ${symbol}`
}

function isSwapShown(latchkey: Latchkey): boolean {
  const state = modalOf(latchkey).state.getState()
  return state.open && state.history.some(({ view }) => swapViews.includes(view))
}
