import type { Latchkey } from '@latchkey/core'
import { claimOutcome, defineFeature, getFeature } from '@latchkey/core/internal'
import {
  openSend,
  reviewSend,
  sendNow,
  type Outcome,
  type Payment,
  type SendStatus,
  type SendToken,
} from '@latchkey/core/money'
import { modalOf } from '../modal.ts'
import { currentEntry } from '../navigation/modalState.ts'
import { openModal, pushView, resetView } from '../navigation/openModal.ts'
import { showToast } from '../notices/showToast.ts'
import { formatSendNotice, toSendNotice, type FormatSendNotice, type SendNotice } from './sendNotice.ts'

/**
 * Shows the payment form on top of the current view.
 *
 * @param token the token to send, if known
 * @example openSendFlow(latchkey)
 */
export function openSendFlow(latchkey: Latchkey, token?: SendToken): void {
  const state = modalOf(latchkey).state.getState()
  const entry = { view: 'WalletSend', params: {} } as const
  if (!state.open) openModal(latchkey, { entry })
  else if (currentEntry(state).view !== 'WalletSend') pushView(latchkey, entry)
  openSend(latchkey, token)
}

/**
 * Checks the payment, and shows it for review if the form is complete.
 *
 * @returns `ready`, or the first thing that is missing or wrong
 * @example const status = await reviewSendFlow(latchkey)
 */
export async function reviewSendFlow(latchkey: Latchkey): Promise<SendStatus> {
  const status = await reviewSend(latchkey)
  const state = modalOf(latchkey).state.getState()
  if (status === 'ready' && state.open && currentEntry(state).view === 'WalletSend') {
    pushView(latchkey, { view: 'WalletSendPreview', params: {} })
  }
  return status
}

const pendingConfirmation = defineFeature((): { payment: Promise<Payment> | undefined } => ({ payment: undefined }))

/**
 * Sends the payment, returns to the account, and shows notices. Repeated calls send a single request.
 *
 * @param format formats the notices; English if omitted
 * @throws LatchkeyError as `sendNow`
 * @example const { outcome } = await confirmSend(latchkey)
 */
export function confirmSend(latchkey: Latchkey, format: FormatSendNotice = formatSendNotice): Promise<Payment> {
  const pending = getFeature(latchkey, pendingConfirmation)
  pending.payment ??= sendWithNotices(latchkey, format).finally(() => void (pending.payment = undefined))
  return pending.payment
}

async function sendWithNotices(latchkey: Latchkey, format: FormatSendNotice): Promise<Payment> {
  const { active } = latchkey.wallet.getState()
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === active)
  const stop = latchkey.events.subscribe(({ type }) => {
    if (type === 'send-request' && modalOf(latchkey).state.getState().open) {
      resetView(latchkey, { view: 'Account', params: {} })
    }
  })
  try {
    const payment = await sendNow(latchkey)
    showSendNotice(latchkey, format, { kind: payment.sent.isUnconfirmed === true ? 'unconfirmed' : 'started' })
    void payment.outcome.then((outcome) => showPaymentOutcome({ latchkey, format, payment, outcome }))
    return payment
  } catch (error) {
    const transfers = await adapter?.transfers?.().catch(() => undefined)
    showSendNotice(latchkey, format, toSendNotice(error, transfers))
    throw error
  } finally {
    stop()
  }
}

type PaymentOutcome = { latchkey: Latchkey; format: FormatSendNotice; payment: Payment; outcome: Outcome }

/** Shows the outcome of a payment. The activity of the open modal shows a success. */
function showPaymentOutcome({ latchkey, format, payment: { sent, chainId }, outcome }: PaymentOutcome): void {
  if (outcome.status === 'unknown') return
  const { state, tasks } = modalOf(latchkey)
  const transaction = { chainId, hash: sent.hash }
  const report = state.getState().open ? undefined : tasks.reportOutcome
  if (report !== undefined) return report(transaction, outcome)
  // Other tabs of the site need not report it.
  void claimOutcome(latchkey, transaction, outcome.status)
  if (outcome.status === 'reverted') showSendNotice(latchkey, format, { kind: 'reverted', reason: outcome.reason })
}

function showSendNotice(latchkey: Latchkey, format: FormatSendNotice, notice: SendNotice): void {
  showToast(latchkey, format(notice), { variant: variantOf(notice) })
}

/** Declining is a decision of the user, and not an error. An unconfirmed payment can still succeed. */
function variantOf({ kind }: SendNotice): 'success' | 'info' | 'error' {
  if (kind === 'declined' || kind === 'unconfirmed') return 'info'
  return kind === 'started' ? 'success' : 'error'
}
