import { parseAmount } from '../../format/amount.ts'
import type { SendNote, SendState, SendStatus } from './sendState.ts'

type SendInput = Omit<SendState, 'status'>

/**
 * Returns the first thing that is missing in a payment. An unknown value is not an error: an unknown balance is read
 * from the chain before the wallet is asked.
 *
 * @param paysNoGas smart accounts need no native currency of their own [R5.4.4] [R6.1]
 */
export function validateSend(state: SendInput, paysNoGas: boolean): SendStatus {
  const { token, amount, receiver, receiverAddress, resolving } = state
  if (token === undefined) return 'select-token'
  if (amount === '') return 'add-amount'
  const units = parseUnits(amount, token.asset.decimals)
  if (units === undefined || units <= 0n) return 'incorrect-value'
  const held = token.asset.address === undefined ? (state.networkBalance?.value ?? token.balance) : token.balance
  if (held !== undefined && units > held) return 'insufficient-funds'
  if (!paysNoGas && lacksGas(state, token.asset.address === undefined ? units : 0n)) return 'insufficient-gas'
  if (receiver.trim() === '' || (receiverAddress === undefined && resolving)) return 'add-address'
  if (receiverAddress === undefined || state.notes.some(isInvalidReceiver)) return 'invalid-address'
  if (state.notes.some(isUnsupportedToken)) return 'unsupported-token'
  return 'ready'
}

/** True for a note about an address that nothing can be paid to. */
export function isInvalidReceiver(note: SendNote): boolean {
  return ['invalid', 'token-account', 'mainnet-address', 'testnet-address'].includes(note)
}

/** True for a note about a token that can't be sent. */
function isUnsupportedToken(note: SendNote): boolean {
  return note === 'non-transferable' || note === 'transfer-hook'
}

/** No token has more units: an amount is a number of 256 bits. */
const tooManyUnits = 1n << 256n
/** As many digits as 256 bits have, a point, and as many decimals. Parsing longer strings takes quadratic time. */
const mostCharacters = 157

/** Returns an amount in base units, or undefined if the string is not a decimal number or too large [R5.4.3]. */
export function parseUnits(amount: string, decimals: number): bigint | undefined {
  if (amount.length > mostCharacters) return undefined
  try {
    const units = parseAmount(amount, decimals)
    return units < tooManyUnits ? units : undefined
  } catch {
    return undefined
  }
}

/** True if the native balance does not cover the fee in addition to the amount that is sent [R5.4.4]. */
function lacksGas({ networkBalance, fee }: SendInput, sent: bigint): boolean {
  if (networkBalance === undefined) return false
  const { value } = networkBalance
  if (value === 0n) return true
  if (fee === undefined) return false
  // Only a payment of the native currency competes with what must stay in the account.
  const kept = sent > 0n ? (fee.kept?.amount ?? 0n) : 0n
  return sent + fee.value + (fee.deposit ?? 0n) + kept > value
}
