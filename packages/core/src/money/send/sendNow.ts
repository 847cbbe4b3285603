import { isLatchkeyError } from '@latchkey/protocol'
import { resetView } from '../../actions/navigation.ts'
import { companion } from '../../companion.ts'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../latchkey.ts'
import { followTransaction } from '../pending/followTransaction.ts'
import type { Fee, Outcome, Sent, Transfer, Transfers } from '../transfers.ts'
import { sendError } from './errors.ts'
import { estimateFee, readHeld, takeFee, takeHeld } from './fee.ts'
import { emptyForm } from './form.ts'
import { unitsOf } from './judge.ts'
import { rememberReceiver } from './knownReceivers.ts'
import { noticeOf, sayInEnglish, tell, type SayNotice } from './notice.ts'
import type { SendState } from './payment.ts'
import { patchSend, payerOf, sendState, subjectOf, type Payer } from './state.ts'
import { transfersOf } from './transfersOf.ts'

/** A payment that the wallet sent, and how it ends. */
export type Payment = { readonly sent: Sent; readonly outcome: Promise<Outcome> }

const key = Symbol('payment under way')

/**
 * Asks the wallet to send the payment of the form. However often it is called meanwhile, the wallet is asked once. The
 * modal goes back to Account; the form is emptied when the wallet sent it, and kept when it did not.
 *
 * @param say says what the visitor is told, in his language; in English when left out
 * @returns as soon as the wallet sent it; how it ends is told by `outcome`, and by the pending transactions
 * @throws LatchkeyError `send/incomplete`, `send/short`, `send/unsupported`, `send/uncertain`, `request/rejected`,
 * `request/unknown`, `rpc/unreachable`, `connection/not-connected`, and what else the wallet fails with.
 * @example const { outcome } = await sendNow(latchkey)
 */
export function sendNow(latchkey: Latchkey, say: SayNotice = sayInEnglish): Promise<Payment> {
  const under = companion(latchkey, key, (): { way: Promise<Payment> | undefined } => ({ way: undefined }))
  under.way ??= sendOnce(latchkey, say).finally(() => void (under.way = undefined))
  return under.way
}

async function sendOnce(latchkey: Latchkey, say: SayNotice): Promise<Payment> {
  const subject = subjectOf(latchkey)
  let transfers: Transfers | undefined
  patchSend(latchkey, { loading: true, problem: undefined })
  try {
    const payer = payerOf(latchkey)
    transfers = await transfersOf(payer)
    const transfer = await prepare(latchkey, payer)
    if (latchkey.modal.getState().open) resetView(latchkey, { view: 'Account', params: {} })
    const sent = await transfers.send(payer.state.connection, payer.network, transfer, fixedFee(latchkey))
    return succeed(latchkey, say, { payer, transfer, sent })
  } catch (error) {
    const uncertain = isLatchkeyError(error, 'request/unknown') || isLatchkeyError(error, 'send/uncertain')
    // The form stays as it was [R4.4.4]; that of another account has nothing to do with it.
    patchSend(latchkey, { loading: false, ...(subjectOf(latchkey) === subject ? { problem: error, uncertain } : {}) })
    tell(latchkey, say, noticeOf(error, transfers))
    const message = error instanceof Error ? error.message : 'unknown'
    latchkey.events.emit({ type: 'send-error', message, code: isLatchkeyError(error) ? error.code : undefined })
    throw error
  }
}

/** What is asked of the wallet, after the chain was asked once more whether there is enough for it. */
async function prepare(latchkey: Latchkey, payer: Payer): Promise<Transfer> {
  const state = sendState(latchkey).getState()
  if (state.uncertain) throw sendError('send/uncertain', {})
  const transfer = transferOf(state, payer)
  if (transfer === undefined) throw sendError('send/incomplete', {})
  const [held, fee] = await Promise.all([readHeld(payer, transfer.asset), state.fee ?? estimateFee(payer, transfer)])
  takeFee(latchkey, fee)
  const { status } = takeHeld(latchkey, held)
  if (status === 'insufficient-funds') throw sendError('send/short', { what: 'amount' })
  if (status === 'insufficient-gas') throw sendError('send/short', { what: 'fee' })
  return transfer
}

/** The payment of the form, when all that it needs is there [R5.4.1] [R5.4.2]. */
function transferOf({ token, amount, receiverAddress, notes }: SendState, payer: Payer): Transfer | undefined {
  if (token === undefined || token.chainId !== payer.chainId || receiverAddress === undefined) return undefined
  const units = unitsOf(amount, token.asset.decimals)
  if (units === undefined || units <= 0n || notes.includes('invalid')) return undefined
  return { from: payer.from, to: receiverAddress, asset: token.asset, amount: units }
}

/** Only a payment of all that there is depends on the fee: any other leaves it to the wallet and its owner. */
function fixedFee(latchkey: Latchkey): Fee | undefined {
  const { max, token, fee } = sendState(latchkey).getState()
  return max && token?.asset.address === undefined ? fee : undefined
}

function succeed(
  latchkey: Latchkey,
  say: SayNotice,
  { payer, transfer, sent }: { payer: Payer; transfer: Transfer; sent: Sent },
): Payment {
  const { from, chainId } = payer
  const { asset, to, amount } = transfer
  rememberReceiver(latchkey, from, to)
  if (subjectOf(latchkey) === from) emptyForm(latchkey)
  else patchSend(latchkey, { loading: false })
  tell(latchkey, say, { said: 'started' })
  latchkey.events.emit({ type: 'send', chainId, from, hash: sent.hash })
  const what = { kind: 'send', amount: formatAmount(amount, asset.decimals), symbol: asset.symbol, to } as const
  const outcome = followTransaction(latchkey, { sent, chainId, from, what })
  void outcome.then((end) => {
    if (end.status === 'reverted') tell(latchkey, say, { said: 'reverted', reason: end.reason })
  })
  return { sent, outcome }
}
