import { shortenAddress, type Latchkey } from '@latchkey/core'
import { defineFeature, getFeature, internalsOf } from '@latchkey/core/internal'
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
import { getMinedHash } from '../notices/explorerLink.ts'
import { showPendingToast, showToast } from '../notices/showToast.ts'
import { getReporter, showOutcome } from './createOutcomeReporter.ts'
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
    void showPaymentOutcome({ latchkey, payment, format })
    return payment
  } catch (error) {
    const transfers = await adapter?.transfers?.().catch(() => undefined)
    showSendNotice(latchkey, format, toSendNotice(error, transfers))
    throw error
  } finally {
    stop()
  }
}

/** If the transaction is mined at once, users could not read the first toast. */
const startedMilliseconds = 1_500

type SentPayment = { latchkey: Latchkey; payment: Payment; format: FormatSendNotice }

/** Shows the outcome of a payment, above the page if the modal is closed by then. */
async function showPaymentOutcome({ latchkey, payment, format }: SentPayment): Promise<void> {
  const read = new Promise<void>((resolve) => internalsOf(latchkey).clock.after(startedMilliseconds, resolve))
  const [outcome] = await Promise.all([payment.outcome, read])
  const { sent, chainId, what } = payment
  const text = format(toOutcomeNotice(payment, outcome))
  if (outcome.status !== 'unknown') return showOutcome(latchkey, { hash: sent.hash, chainId, what }, outcome, text)
  const link = getReporter(latchkey).linkTo({ chainId, hash: getMinedHash(outcome) })
  showPendingToast(latchkey, text, { hash: sent.hash, link })
}

function toOutcomeNotice({ what: { amount = '', symbol = '', to = '', name } }: Payment, outcome: Outcome): SendNotice {
  const mined = { kind: 'mined', amount, symbol, receiver: name ?? shortenAddress(to) } as const
  switch (outcome.status) {
    case 'unknown':
      return { kind: 'pending' }
    case 'reverted':
      return { kind: 'reverted', reason: outcome.reason }
    case 'mined':
      return mined
    case 'replaced':
      if (outcome.how === 'repriced') return mined
      return { kind: outcome.how === 'cancelled' ? 'cancelled' : 'replaced' }
  }
}

function showSendNotice(latchkey: Latchkey, format: FormatSendNotice, notice: SendNotice): void {
  showToast(latchkey, format(notice), { variant: variantOf(notice) })
}

/** Declining is a decision of the user, and not an error. An unconfirmed payment can still succeed. */
function variantOf({ kind }: SendNotice): 'success' | 'info' | 'error' {
  if (kind === 'declined' || kind === 'unconfirmed') return 'info'
  return kind === 'started' ? 'success' : 'error'
}
