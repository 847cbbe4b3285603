import { parseAccountId } from '@latchkey/protocol'
import type { Call } from '../../adapter.ts'
import { isAddressText } from './answers.ts'
import type { BuiltTransaction } from './transactions.ts'
import { swapError } from './swapError.ts'
import { minimumOf } from './figures.ts'
import type { SwapCall, SwapQuote } from './state.ts'

/** `approve(address,uint256)`, as the ABI writes it. */
const approveSelector = '0x095ea7b3'

/**
 * The one approval that serves a swap: of the token that is given, for the contract that swaps, of just that amount.
 *
 * @throws LatchkeyError `swap/refused` when the server built anything else.
 */
export function checkedApproval(built: BuiltTransaction, { question, spender }: SwapQuote): Call {
  const { from, chainId, account, amount } = question
  const exchange = plain(spender)
  const agreed = `${approveSelector}${word(exchange.slice(2))}${word(amount.toString(16))}`
  refuseUnless(from.address !== undefined, 'nothing has to be allowed')
  refuseUnless(isSame(built.from, `${chainId}:${parseAccountId(account).address}`), 'it is for another account')
  refuseUnless(isSame(built.to, from.id), 'the approval is sent to another contract than the token')
  refuseUnless(isSame(built.data, agreed), 'it does not allow that amount to the exchange')
  refuseUnless(built.value === 0n, 'it pays somebody')
  return { to: from.address, data: built.data }
}

/**
 * The swap that was agreed upon: sent to the contract that was named, paying no more than that.
 *
 * @throws LatchkeyError `swap/refused` when the server built anything else, `swap/price-moved` when it gives less.
 */
export function checkedSwap(
  built: BuiltTransaction,
  { question, spender, toAmount }: SwapQuote,
  slippage: number,
): SwapCall {
  const { from, to, chainId, account, amount } = question
  const exchange = plain(spender)
  refuseUnless(isAddressText(exchange), 'the exchange has no address')
  // To be called by the account is what a token's own transfers need: no token is an exchange.
  refuseUnless(!isSame(spender, from.id) && !isSame(spender, to.id), 'a token poses as the exchange')
  refuseUnless(isSame(built.from, `${chainId}:${parseAccountId(account).address}`), 'it is for another account')
  refuseUnless(isSame(built.to, spender), 'it is sent to another contract than the exchange')
  refuseUnless(built.value === (from.address === undefined ? amount : 0n), 'it pays another amount')
  refuseUnless(built.data.length >= 10, 'it calls nothing')
  if (built.minimum !== undefined && built.minimum < minimumOf(toAmount, slippage))
    throw swapError('swap/price-moved', {})
  return { to: exchange, data: built.data, value: built.value, gas: built.gas }
}

function refuseUnless(holds: boolean, reason: string): asserts holds {
  if (!holds) throw swapError('swap/refused', { reason })
}

/** Ids and hex texts are written in either case. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function plain(id: string): string {
  return parseAccountId(id).address
}

function word(hex: string): string {
  return hex.toLowerCase().padStart(64, '0')
}
