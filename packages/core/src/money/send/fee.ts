import { parseAccountId } from '@latchkey/protocol'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import type { Asset, Fee, Transfer } from '../transfers.ts'
import { toDollars } from './dollars.ts'
import { parseUnits } from './validateSend.ts'
import type { SendState } from './sendState.ts'
import { beginRequest, scheduleRequest } from './requests.ts'
import { patchSend, payerOf, sendState, type Payer } from './state.ts'
import { nativeWorth } from './tokens.ts'
import { getTransfers } from './getTransfers.ts'

/** The delay after the last keystroke [R9.1.6]. */
const quietMilliseconds = 500

/** Requests the fee after the last keystroke. */
export function refreshFeeSoon(latchkey: Latchkey): void {
  const isLatest = beginRequest(latchkey, 'fee')
  scheduleRequest(latchkey, 'fee', quietMilliseconds, () => {
    if (isLatest()) void refreshFee(latchkey)
  })
}

/**
 * Estimates the network fee of the current payment. Without a recipient, it estimates a payment to the sender. A
 * failure stays in the state as the problem.
 */
export async function refreshFee(latchkey: Latchkey): Promise<void> {
  const isLatest = beginRequest(latchkey, 'fee')
  const state = sendState(latchkey).getState()
  const { token, amount, receiverAddress, status } = state
  if (token === undefined || status === 'insufficient-funds' || state.loading) return
  const response = await (async () => {
    const payer = payerOf(latchkey)
    const to = receiverAddress ?? parseAccountId(payer.from).address
    const units = parseUnits(amount, token.asset.decimals) ?? 0n
    return estimateFee(payer, { from: payer.from, to, asset: token.asset, amount: units < 0n ? 0n : units })
  })().catch((problem: unknown) => ({ problem }))
  if (!isLatest()) return
  if ('problem' in response) return void patchSend(latchkey, { fee: undefined, feeInDollars: undefined, ...response })
  setFee(latchkey, response)
  setMaxAmount(latchkey)
}

/**
 * Estimates the network fee of a payment.
 *
 * @throws LatchkeyError `rpc/unreachable`, `send/unsupported`, `transaction/reverted` if it would fail
 */
export async function estimateFee(payer: Payer, transfer: Transfer): Promise<Fee> {
  return (await getTransfers(payer)).estimateFee(payer.network, transfer)
}

/** Stores an estimated fee. */
export function setFee(latchkey: Latchkey, fee: Fee): void {
  const { network } = payerOf(latchkey)
  const price = nativePrice(sendState(latchkey).getState())
  const feeInDollars = toDollars(fee.value, network.nativeCurrency.decimals, price)
  patchSend(latchkey, { fee, feeInDollars, problem: undefined })
}

/** Refreshes the balances of the token and of the native currency from the chain. */
export async function refreshBalance(latchkey: Latchkey): Promise<void> {
  const isLatest = beginRequest(latchkey, 'balance')
  const { token } = sendState(latchkey).getState()
  if (token === undefined) return
  // A balance that could not be read stays as it is. It is read again before the wallet is asked.
  const held = await readHeldBalances(payerOf(latchkey), token.asset).catch(() => undefined)
  if (held === undefined || !isLatest()) return
  setHeldBalances(latchkey, held)
  setMaxAmount(latchkey)
}

/** The balances of the asset and of the native currency that pays the fee. */
export type HeldBalances = { readonly asset: bigint; readonly native: bigint }

/** @throws LatchkeyError `rpc/unreachable`, `send/unsupported`. */
export async function readHeldBalances(payer: Payer, asset: Asset): Promise<HeldBalances> {
  const transfers = await getTransfers(payer)
  const { address } = parseAccountId(payer.from)
  const { symbol, decimals } = payer.network.nativeCurrency
  const own = transfers.getBalance(payer.network, address, { symbol, decimals })
  if (asset.address === undefined) return own.then((native) => ({ asset: native, native }))
  const [native, held] = await Promise.all([own, transfers.getBalance(payer.network, address, asset)])
  return { asset: held, native }
}

/** Stores balances from the chain. */
export function setHeldBalances(latchkey: Latchkey, held: HeldBalances): SendState {
  const state = sendState(latchkey).getState()
  const { symbol, decimals } = payerOf(latchkey).network.nativeCurrency
  const { token } = state
  return patchSend(latchkey, {
    token: token && { ...token, balance: held.asset },
    ...nativeWorth({ value: held.native, symbol, decimals }, nativePrice(state)),
  })
}

/** Updates the amount to the maximum, if the user selected the maximum. */
function setMaxAmount(latchkey: Latchkey): void {
  const { max, token, fee, networkBalance } = sendState(latchkey).getState()
  if (!max || token === undefined) return
  const { address, decimals } = token.asset
  if (address !== undefined) {
    if (token.balance !== undefined) patchSend(latchkey, { amount: formatAmount(token.balance, decimals) })
    return
  }
  if (networkBalance === undefined || fee === undefined) return
  const left = networkBalance.value - reservedBy(fee)
  patchSend(latchkey, { amount: formatAmount(left > 0n ? left : 0n, decimals) })
}

/** Returns the native currency that can't be part of a payment of the native currency. */
export function reservedBy({ value, deposit = 0n, kept }: Fee): bigint {
  return value + deposit + (kept?.amount ?? 0n)
}

function nativePrice({ token, tokens }: SendState): number | undefined {
  if (token !== undefined && token.asset.address === undefined) return token.price
  return tokens?.find(({ asset }) => asset.address === undefined)?.price
}
