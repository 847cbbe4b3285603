import { parseAccountId } from '@latchkey/protocol'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { unitsForDollars } from './dollars.ts'
import { refreshBalance, refreshFee, refreshFeeSoon, reservedBy } from './fee.ts'
import { parseUnits } from './validateSend.ts'
import { emptySend, type SendToken } from './sendState.ts'
import { invalidateRequests } from './requests.ts'
import { inspectAgain } from './receiver.ts'
import { isSending, patchSend, payerOf, sendState } from './state.ts'
import { loadTokens } from './tokens.ts'
import { getTransfers } from './getTransfers.ts'

/**
 * Opens the payment form: selects the token and loads what the account can send. A loading error stays in the state.
 *
 * @param token the token to send, if known
 * @example openSend(latchkey)
 */
export function openSend(latchkey: Latchkey, token?: SendToken): void {
  if (token !== undefined) chooseToken(latchkey, token)
  loadTokens(latchkey).catch(() => {})
}

/**
 * Selects the token to send. Its balance and the network fee are read from the chain.
 *
 * @example chooseToken(latchkey, token)
 */
export function chooseToken(latchkey: Latchkey, token: SendToken): void {
  if (isSending(latchkey)) return
  const none = { fee: undefined, feeInDollars: undefined, problem: undefined }
  patchSend(latchkey, { token, max: false, dollars: undefined, ...none })
  inspectAgain(latchkey)
  void refreshBalance(latchkey)
  void refreshFee(latchkey)
}

/**
 * Finds a token by its address on the chain, and adds it to the tokens of the form.
 *
 * @throws LatchkeyError `connection/not-connected`, `address/invalid` if there is no such token, `rpc/unreachable`
 * @example chooseToken(latchkey, await findToken(latchkey, address))
 */
export async function findToken(latchkey: Latchkey, address: string): Promise<SendToken> {
  const payer = payerOf(latchkey)
  const transfers = await getTransfers(payer)
  const { name, ...asset } = await transfers.readAsset(payer.network, address)
  const balance = await transfers.getBalance(payer.network, parseAccountId(payer.from).address, asset)
  return { asset, name, chainId: payer.chainId, balance, price: undefined }
}

/**
 * Sets the amount as entered, in units of the token. Incomplete entries are allowed.
 *
 * @example setAmount(latchkey, '1.5')
 */
export function setAmount(latchkey: Latchkey, amount: string): void {
  if (isSending(latchkey)) return
  patchSend(latchkey, { amount, dollars: undefined, max: false })
  refreshFeeSoon(latchkey)
}

/**
 * Sets the amount in dollars. Without a known price, the token amount stays empty.
 *
 * @example setAmountInDollars(latchkey, '20')
 */
export function setAmountInDollars(latchkey: Latchkey, dollars: string): void {
  if (isSending(latchkey)) return
  const { token } = sendState(latchkey).getState()
  patchSend(latchkey, { amount: amountFor(dollars, token), dollars, max: false })
  refreshFeeSoon(latchkey)
}

/** An invalid number is kept, so that it is reported as invalid. */
function amountFor(dollars: string, token: SendToken | undefined): string {
  if (dollars === '' || token?.price === undefined) return ''
  if (parseUnits(dollars, 2) === undefined) return dollars
  const { decimals } = token.asset
  return formatAmount(unitsForDollars(dollars, decimals, token.price), decimals)
}

/**
 * Sets the amount to a share of the balance. For the native currency, it is a share of what the fee leaves.
 *
 * @param percent from 1 to 99
 * @example setShare(latchkey, 50)
 */
export function setShare(latchkey: Latchkey, percent: number): void {
  const { token, fee } = sendState(latchkey).getState()
  if (token?.balance === undefined) return
  const kept = token.asset.address === undefined && fee !== undefined ? reservedBy(fee) : 0n
  const rest = token.balance > kept ? token.balance - kept : 0n
  setAmount(latchkey, formatAmount((rest * BigInt(Math.trunc(percent))) / 100n, token.asset.decimals))
}

/**
 * Sets the amount to the whole balance. For the native currency, the fee is subtracted. The amount follows the fee
 * until the user enters another amount.
 *
 * @example await setMax(latchkey)
 */
export async function setMax(latchkey: Latchkey): Promise<void> {
  if (isSending(latchkey)) return
  patchSend(latchkey, { max: true, dollars: undefined })
  await refreshBalance(latchkey)
  await refreshFee(latchkey)
}

/**
 * Resets the form, unless its payment is pending. Responses to its requests are dropped.
 *
 * @example resetSend(latchkey)
 */
export function resetSend(latchkey: Latchkey): void {
  if (!isSending(latchkey)) clearForm(latchkey)
}

/** Resets the form after a payment. */
export function clearForm(latchkey: Latchkey): void {
  invalidateRequests(latchkey)
  patchSend(latchkey, emptySend)
}
