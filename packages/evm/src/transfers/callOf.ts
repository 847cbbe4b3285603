import type { TransactionRequest } from '@latchkey/core'
import type { Transfer } from '@latchkey/core/money'
import { LatchkeyError, parseAccountId } from '@latchkey/protocol'
import { encodeFunctionData, type Address, type Hex } from 'viem'
import { checkedAddress } from '../checkedAddress.ts'
import { erc20, mostUnits } from './erc20.ts'

/** A transfer as the chain's machine takes it. */
export type TransferCall = { from: Address; to: Address; value: bigint; data: Hex | undefined }

/**
 * Writes a transfer as a call: a payment, or a call of the token.
 *
 * @throws LatchkeyError `address/invalid`, `amount/invalid`.
 */
export function callOf({ from, to, asset, amount }: Transfer): TransferCall {
  if (amount < 0n || amount > mostUnits) throw new LatchkeyError('amount/invalid', { value: String(amount) })
  const sender = checkedAddress(parseAccountId(from).address)
  const receiver = checkedAddress(to)
  if (asset.address === undefined) return { from: sender, to: receiver, value: amount, data: undefined }
  const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [receiver, amount] })
  return { from: sender, to: checkedAddress(asset.address), value: 0n, data }
}

/** The same, as a wallet is asked for it. */
export function requestOf(transfer: Transfer): TransactionRequest {
  const { to, value, data } = callOf(transfer)
  return { to, value, data }
}
