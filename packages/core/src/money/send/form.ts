import { parseAccountId } from '@latchkey/protocol'
import { currentEntry } from '../../modal/modal.ts'
import { openModal, pushView } from '../../actions/navigation.ts'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../latchkey.ts'
import { unitsForDollars } from './dollars.ts'
import { refreshBalance, refreshFee, refreshFeeSoon } from './fee.ts'
import { unitsOf } from './judge.ts'
import { emptySend, type SendToken } from './payment.ts'
import { forgetQuestions } from './questions.ts'
import { inspectAgain } from './receiver.ts'
import { isUnderWay, patchSend, payerOf, sendState } from './state.ts'
import { loadTokens } from './tokens.ts'
import { transfersOf } from './transfersOf.ts'

/**
 * Shows the form for a payment, above what is shown now, and reads what can be sent.
 *
 * @param token what to send, where that is known
 * @example openSend(latchkey)
 */
export function openSend(latchkey: Latchkey, token?: SendToken): void {
  const modal = latchkey.modal.getState()
  const entry = { view: 'WalletSend', params: {} } as const
  if (!modal.open) openModal(latchkey, { entry })
  else if (currentEntry(modal).view !== 'WalletSend') pushView(latchkey, entry)
  if (token !== undefined) chooseToken(latchkey, token)
  // It keeps what went wrong in the state.
  loadTokens(latchkey).catch(() => {})
}

/** Chooses what is sent; its balance and what the network takes are read from the chain. */
export function chooseToken(latchkey: Latchkey, token: SendToken): void {
  if (isUnderWay(latchkey)) return
  const none = { fee: undefined, feeInDollars: undefined, problem: undefined }
  patchSend(latchkey, { token, max: false, dollars: undefined, ...none })
  inspectAgain(latchkey)
  void refreshBalance(latchkey)
  void refreshFee(latchkey)
}

/**
 * Takes a token by its address, as the chain describes it, among those that can be chosen.
 *
 * @throws LatchkeyError `connection/not-connected`, `address/invalid` where there is no such token, `rpc/unreachable`.
 */
export async function findToken(latchkey: Latchkey, address: string): Promise<SendToken> {
  const payer = payerOf(latchkey)
  const transfers = await transfersOf(payer)
  const { name, ...asset } = await transfers.readAsset(payer.network, address)
  const balance = await transfers.getBalance(payer.network, parseAccountId(payer.from).address, asset)
  return { asset, name, chainId: payer.chainId, balance, price: undefined }
}

/** Takes the amount as it is entered: a decimal number in units of the token, or anything on the way to one. */
export function setAmount(latchkey: Latchkey, amount: string): void {
  if (isUnderWay(latchkey)) return
  patchSend(latchkey, { amount, dollars: undefined, max: false })
  refreshFeeSoon(latchkey)
}

/** Takes the amount in dollars. Without a known price it leads to no amount. */
export function setAmountInDollars(latchkey: Latchkey, dollars: string): void {
  if (isUnderWay(latchkey)) return
  const { token } = sendState(latchkey).getState()
  patchSend(latchkey, { amount: amountFor(dollars, token), dollars, max: false })
  refreshFeeSoon(latchkey)
}

/** What is no number of dollars stays as it is, so that it is told as wrong. */
function amountFor(dollars: string, token: SendToken | undefined): string {
  if (dollars === '' || token?.price === undefined) return ''
  if (unitsOf(dollars, 2) === undefined) return dollars
  const { decimals } = token.asset
  return formatAmount(unitsForDollars(dollars, decimals, token.price), decimals)
}

/**
 * Takes all that there is: of a token its balance, of the native currency what is left of it after the fee. It follows
 * the fee as long as the amount is not entered by hand.
 */
export async function setMax(latchkey: Latchkey): Promise<void> {
  if (isUnderWay(latchkey)) return
  patchSend(latchkey, { max: true, dollars: undefined })
  await refreshBalance(latchkey)
  await refreshFee(latchkey)
}

/** Empties the form, unless its payment is under way. What is asked for it counts no more. */
export function resetSend(latchkey: Latchkey): void {
  if (!isUnderWay(latchkey)) emptyForm(latchkey)
}

/** Empties the form of a payment that is over. */
export function emptyForm(latchkey: Latchkey): void {
  forgetQuestions(latchkey)
  patchSend(latchkey, emptySend)
}
