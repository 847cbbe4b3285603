import type { Connection, TransactionRequest } from '@latchkey/core'
import { getField, LatchkeyError, parseAccountId, type AccountId, inputError } from '@latchkey/protocol'
import { parseBitcoinAddress } from '../address/parseBitcoinAddress.ts'
import { invalidBitcoinResponse, isTransactionId } from './responses.ts'

/** A payment in satoshis. */
export type Transfer = { to: string; value: bigint }

/**
 * Asks the wallet to pay. The wallet chooses the outputs that it spends and the fee.
 *
 * @returns the transaction id
 * @throws LatchkeyError `address/invalid`, `amount/invalid`, `wallet/invalid-response`; the errors of `Provider.request`
 */
export async function requestTransfer(
  connection: Connection,
  account: AccountId,
  { to, value }: Transfer,
): Promise<string> {
  const method = 'sendTransfer'
  const { chainId, address } = parseAccountId(account)
  const recipientAddress = parseBitcoinAddress(chainId, to)
  if (value <= 0n) throw inputError('amount/invalid', { value: String(value) })
  const params = { account: address, recipientAddress, amount: String(value) }
  const txid = getField(await connection.provider.request({ method, params }), 'txid')
  if (!isTransactionId(txid)) throw invalidBitcoinResponse(connection, method)
  return txid
}

/** Sends a payment as the adapter's `sendTransaction`. A payment can't carry data. */
export async function requestTransaction(
  connection: Connection,
  account: AccountId,
  { to, value = 0n, data }: TransactionRequest,
): Promise<string> {
  if (data !== undefined) throw new LatchkeyError('request/not-allowed', { method: 'sendTransfer with data' })
  return requestTransfer(connection, account, { to, value })
}
