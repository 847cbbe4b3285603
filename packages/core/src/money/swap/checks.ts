import { parseAccountId } from '@latchkey/protocol'
import type { Call } from '../../contracts/adapter.ts'
import { isAddressText } from './responses.ts'
import type { BuiltTransaction } from './transactions.ts'
import { swapError } from './swapError.ts'
import { getSwapLimits } from './swapAmounts.ts'
import type { SwapCall, SwapQuote } from './state.ts'

/** The selector of `approve(address,uint256)`. */
const approveSelector = '0x095ea7b3'

/**
 * Verifies the approval of a swap: of the given token, for the swap contract, for exactly the amount.
 *
 * @param amount the maximum given, in base units
 * @throws LatchkeyError `swap/refused` if the server built anything else
 */
export function checkApprovalCall(built: BuiltTransaction, { request, spender }: SwapQuote, amount: bigint): Call {
  const { from, chainId, account } = request
  const exchange = plainAddress(spender)
  const expected = `${approveSelector}${padWord(exchange.slice(2))}${padWord(amount.toString(16))}`
  refuseUnless(from.address !== undefined, 'nothing has to be allowed')
  refuseUnless(isSameText(built.from, `${chainId}:${parseAccountId(account).address}`), 'it is for another account')
  refuseUnless(isSameText(built.to, from.id), 'the approval is sent to another contract than the token')
  refuseUnless(isSameText(built.data, expected), 'it does not allow that amount to the exchange')
  refuseUnless(built.value === 0n, 'it sends native currency')
  return { to: from.address, data: built.data }
}

/** Builds the call that removes the allowance of the swap contract. */
export function buildResetCall({ request: { from }, spender }: SwapQuote): Call {
  const exchange = plainAddress(spender)
  refuseUnless(from.address !== undefined && isAddressText(exchange), 'nothing has to be allowed')
  return { to: from.address, data: `${approveSelector}${padWord(exchange.slice(2))}${padWord('0')}` }
}

/**
 * Verifies the transaction of a swap: sent to the quoted contract, paying at most the agreed amount. Of an exact output,
 * the exchange returns what it did not need.
 *
 * @throws LatchkeyError `swap/refused` if the server built anything else, `swap/price-moved` if it gives less
 */
export function checkSwapCall(built: BuiltTransaction, quote: SwapQuote, slippage: number): SwapCall {
  const { request, spender } = quote
  const { from, to, chainId, account, exact } = request
  const { maximum, minimum } = getSwapLimits(quote, slippage)
  const exchange = plainAddress(spender)
  refuseUnless(isAddressText(exchange), 'the exchange has no address')
  // The swap contract must not be one of the tokens. Called by the account itself, a token could transfer everything.
  refuseUnless(!isSameText(spender, from.id) && !isSameText(spender, to.id), 'a token poses as the exchange')
  refuseUnless(isSameText(built.from, `${chainId}:${parseAccountId(account).address}`), 'it is for another account')
  refuseUnless(isSameText(built.to, spender), 'it is sent to another contract than the exchange')
  refuseUnless(built.value === (from.address === undefined ? maximum : 0n), 'it pays another amount')
  refuseUnless(built.maximum === undefined ? exact === 'from' : built.maximum <= maximum, 'it may take more')
  refuseUnless(built.data.length >= 10, 'it calls nothing')
  if (built.minimum !== undefined && built.minimum < minimum) throw swapError('swap/price-moved', {})
  return { to: exchange, data: built.data, value: built.value, gas: built.gas }
}

function refuseUnless(holds: boolean, reason: string): asserts holds {
  if (!holds) throw swapError('swap/refused', { reason })
}

/** Compares ids and hex strings in any case. */
function isSameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function plainAddress(id: string): string {
  return parseAccountId(id).address
}

function padWord(hex: string): string {
  return hex.toLowerCase().padStart(64, '0')
}
