import { isLatchkeyError, type ChainId } from '@latchkey/protocol'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { followTransaction } from '../pending/followTransaction.ts'
import type { Purpose } from '../pending/pendingTransactions.ts'
import type { Fee, Outcome, SubmittedTransaction, Transfer, Transfers } from '../transfers.ts'
import { sendError } from './sendError.ts'
import { estimateFee, readHeldBalances, setFee, setHeldBalances } from './fee.ts'
import { clearForm } from './form.ts'
import { isInvalidReceiver, parseUnits } from './validateSend.ts'
import { rememberReceiver } from './knownReceivers.ts'
import type { SendState } from './sendState.ts'
import { patchSend, payerOf, sendState, subjectOf, type Payer } from './state.ts'
import { getTransfers } from './getTransfers.ts'

/** A payment that the wallet sent, and its outcome. */
export type Payment = {
  readonly sent: SubmittedTransaction
  readonly chainId: ChainId
  /** The amount, the symbol and the receiver. */
  readonly what: Purpose
  readonly outcome: Promise<Outcome>
}

/** The payment that is pending in the wallet. */
const pendingPayment = defineFeature((): { payment: Promise<Payment> | undefined } => ({ payment: undefined }))

/**
 * Asks the wallet to send the payment of the form. Repeated calls send a single request. The form is reset once the
 * wallet sent the payment, and kept otherwise. Emits `send-request` before it asks the wallet, then `send` or
 * `send-error`.
 *
 * @returns the sent payment; `outcome` resolves when it is final on the chain
 * @throws LatchkeyError `send/incomplete`, `send/insufficient-funds`, `send/unsupported`, `send/uncertain`, `request/rejected`,
 *   `request/unknown`, `rpc/unreachable`, `connection/not-connected`, and any error of the wallet.
 * @example const { outcome } = await sendNow(latchkey)
 */
export function sendNow(latchkey: Latchkey): Promise<Payment> {
  const pending = getFeature(latchkey, pendingPayment)
  pending.payment ??= sendOnce(latchkey).finally(() => void (pending.payment = undefined))
  return pending.payment
}

async function sendOnce(latchkey: Latchkey): Promise<Payment> {
  const subject = subjectOf(latchkey)
  patchSend(latchkey, { loading: true, problem: undefined })
  try {
    const payer = payerOf(latchkey)
    const transfers = await getTransfers(payer)
    const transfer = await prepare(latchkey, payer)
    const { receiverName } = sendState(latchkey).getState()
    latchkey.events.emit({ type: 'send-request', chainId: payer.chainId, from: payer.from })
    const fee = fixedFee(sendState(latchkey).getState(), transfers)
    const sent = await transfers.send(payer.state.connection, payer.network, transfer, fee)
    return completeSend(latchkey, { payer, transfer, sent, receiverName })
  } catch (error) {
    const uncertain = isLatchkeyError(error, 'request/unknown') || isLatchkeyError(error, 'send/uncertain')
    // The form is kept [R4.4.4]. The form of another account is not affected.
    patchSend(latchkey, { loading: false, ...(subjectOf(latchkey) === subject ? { problem: error, uncertain } : {}) })
    const message = error instanceof Error ? error.message : 'unknown'
    latchkey.events.emit({ type: 'send-error', message, code: isLatchkeyError(error) ? error.code : undefined })
    throw error
  }
}

/** Checks the balance on the chain again, and returns the transfer for the wallet. */
async function prepare(latchkey: Latchkey, payer: Payer): Promise<Transfer> {
  const state = sendState(latchkey).getState()
  if (state.uncertain) throw sendError('send/uncertain', {})
  const transfer = transferOf(state, payer)
  if (transfer === undefined) throw sendError('send/incomplete', {})
  const [held, fee] = await Promise.all([
    readHeldBalances(payer, transfer.asset),
    state.fee ?? estimateFee(payer, transfer),
  ])
  // Another account or network was selected meanwhile: the form was reset, and these values are not its own.
  if (subjectOf(latchkey) !== payer.from) throw sendError('send/incomplete', {})
  setFee(latchkey, fee)
  const { status } = setHeldBalances(latchkey, held)
  if (status === 'insufficient-funds') throw sendError('send/insufficient-funds', { what: 'amount' })
  if (status === 'insufficient-gas') throw sendError('send/insufficient-funds', { what: 'fee' })
  return transfer
}

/** Returns the payment of the form, if it is complete [R5.4.1] [R5.4.2]. */
function transferOf({ token, amount, receiverAddress, notes }: SendState, payer: Payer): Transfer | undefined {
  if (token === undefined || token.chainId !== payer.chainId || receiverAddress === undefined) return undefined
  const units = parseUnits(amount, token.asset.decimals)
  if (units === undefined || units <= 0n || notes.some(isInvalidReceiver)) return undefined
  return { from: payer.from, to: receiverAddress, asset: token.asset, amount: units }
}

/**
 * Returns the fee that the payment must have. With gas, only a payment of the whole balance depends on it: for others,
 * the user sets the fee in the wallet.
 */
function fixedFee({ max, token, fee }: SendState, { fixesFee = false }: Transfers): Fee | undefined {
  return fixesFee || (max && token?.asset.address === undefined) ? fee : undefined
}

type SentPayment = {
  payer: Payer
  transfer: Transfer
  sent: SubmittedTransaction
  receiverName: string | undefined
}

function completeSend(latchkey: Latchkey, { payer, transfer, sent, receiverName }: SentPayment): Payment {
  const { from, chainId } = payer
  const { asset, to, amount } = transfer
  rememberReceiver(latchkey, from, to)
  if (subjectOf(latchkey) === from) clearForm(latchkey)
  else patchSend(latchkey, { loading: false })
  latchkey.events.emit({ type: 'send', chainId, from, hash: sent.hash })
  const what: Purpose = {
    kind: 'send',
    amount: formatAmount(amount, asset.decimals),
    symbol: asset.symbol,
    to,
    ...(receiverName !== undefined && { name: receiverName }),
  }
  return { sent, chainId, what, outcome: followTransaction(latchkey, { sent, chainId, from, what }) }
}
