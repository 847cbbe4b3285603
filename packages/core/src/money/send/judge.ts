import { parseAmount } from '../../format/amount.ts'
import type { SendState, SendStatus } from './payment.ts'

type Judged = Omit<SendState, 'status'>

/**
 * Says what is missing in a payment. What is not known yet is no fault: a balance that nobody told forbids nothing here,
 * and is read from the chain before the wallet is asked.
 *
 * @param paysNoGas smart accounts need no native currency of their own [R5.4.4] [R6.1]
 */
export function judge(state: Judged, paysNoGas: boolean): SendStatus {
  const { token, amount, receiver, receiverAddress, resolving } = state
  if (token === undefined) return 'select-token'
  if (amount === '') return 'add-amount'
  const units = unitsOf(amount, token.asset.decimals)
  if (units === undefined || units <= 0n) return 'incorrect-value'
  const held = token.asset.address === undefined ? (state.networkBalance?.value ?? token.balance) : token.balance
  if (held !== undefined && units > held) return 'insufficient-funds'
  if (!paysNoGas && lacksGas(state, token.asset.address === undefined ? units : 0n)) return 'insufficient-gas'
  if (receiver.trim() === '' || (receiverAddress === undefined && resolving)) return 'add-address'
  if (receiverAddress === undefined || state.notes.includes('invalid')) return 'invalid-address'
  return 'ready'
}

/** An amount in base units; undefined for what is no decimal number [R5.4.3]. */
export function unitsOf(amount: string, decimals: number): bigint | undefined {
  try {
    return parseAmount(amount, decimals)
  } catch {
    return undefined
  }
}

/** Whether the native currency does not pay what the network takes, besides what is sent of it [R5.4.4]. */
function lacksGas({ networkBalance, fee }: Judged, sent: bigint): boolean {
  if (networkBalance === undefined) return false
  const { value } = networkBalance
  return value === 0n || (fee !== undefined && sent + fee.value + (fee.deposit ?? 0n) > value)
}
