import type { TransactionRequest } from '@latchkey/core'
import type { Transfer } from '@latchkey/core/money'
import { parseAccountId, inputError } from '@latchkey/protocol'
import { encodeFunctionData, type Address, type Hex } from 'viem'
import { parseEvmAddress } from '../address/parseEvmAddress.ts'
import { erc20Abi, maxUint256 } from './erc20Abi.ts'

/** A transfer as a call on the chain. */
export type TransferCall = { from: Address; to: Address; value: bigint; data: Hex | undefined }

/**
 * Encodes a transfer as a call: a payment, or a call of the token contract.
 *
 * @throws LatchkeyError `address/invalid`, `amount/invalid`
 */
export function toTransferCall({ from, to, asset, amount }: Transfer): TransferCall {
  if (amount < 0n || amount > maxUint256) throw inputError('amount/invalid', { value: String(amount) })
  const sender = parseEvmAddress(parseAccountId(from).address)
  const receiver = parseEvmAddress(to)
  if (asset.address === undefined) return { from: sender, to: receiver, value: amount, data: undefined }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [receiver, amount] })
  return { from: sender, to: parseEvmAddress(asset.address), value: 0n, data }
}

/** Encodes a transfer as a request to the wallet. */
export function toTransferRequest(transfer: Transfer): TransactionRequest {
  const { to, value, data } = toTransferCall(transfer)
  return { to, value, data }
}
