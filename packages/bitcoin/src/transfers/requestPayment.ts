import { unsupportedMethodCodes } from '@latchkey/adapter-kit'
import { getField, inputError, isLatchkeyError, parseAccountId } from '@latchkey/protocol'
import { parseBitcoinAddress } from '../address/parseBitcoinAddress.ts'
import { invalidBitcoinResponse, isTransactionId } from '../wallet/responses.ts'
import { payWithPsbt, type PayingWallet, type PaymentRequest, type RequestedPayment } from './payWithPsbt.ts'

const method = 'sendTransfer'

/** The codes of WalletConnect for a method that the session or the wallet does not have. */
const sessionCodes: readonly (number | undefined)[] = [3001, 5101, 10_001]

/**
 * Asks the wallet to pay. The wallet chooses the outputs that it spends and the fee. A wallet without a method for payments
 * signs a transaction instead.
 *
 * @throws LatchkeyError `address/invalid`, `amount/invalid`, `wallet/invalid-response`; the errors of `payWithPsbt` and
 * `Provider.request`
 */
export async function requestPayment(wallet: PayingWallet, request: PaymentRequest): Promise<RequestedPayment> {
  const { connection, account } = wallet
  const { chainId, address } = parseAccountId(account)
  const recipientAddress = parseBitcoinAddress(chainId, request.to)
  if (request.value <= 0n) throw inputError('amount/invalid', { value: String(request.value) })
  try {
    const params = { account: address, recipientAddress, amount: String(request.value) }
    const txid = getField(await connection.provider.request({ method, params }), 'txid')
    if (!isTransactionId(txid)) throw invalidBitcoinResponse(connection, method)
    return { txid: txid.toLowerCase() }
  } catch (error) {
    if (!isMissingMethod(error)) throw error
    return payWithPsbt(wallet, { ...request, to: recipientAddress })
  }
}

/** True if the wallet did nothing because it has no such method. */
export function isMissingMethod(error: unknown): boolean {
  if (isLatchkeyError(error, 'request/not-allowed')) return true
  if (!isLatchkeyError(error, 'request/failed')) return false
  const { code } = error.context
  return unsupportedMethodCodes.includes(code) || sessionCodes.includes(code)
}
