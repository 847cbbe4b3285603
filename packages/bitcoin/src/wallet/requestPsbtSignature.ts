import type { Connection } from '@latchkey/core'
import { getField, parseAccountId, type AccountId } from '@latchkey/protocol'
import { base64 } from '@scure/base'
import { invalidBitcoinResponse, isTransactionId } from './responses.ts'

/** One input of a PSBT that the wallet signs. */
export type InputToSign = {
  index: number
  /** The address that signs; the selected account by default. */
  address?: string
  sighashTypes?: readonly number[]
}

/** A partially signed Bitcoin transaction (BIP-174) that the wallet signs. */
export type PsbtRequest = {
  /** Base64. */
  psbt: string
  inputs: readonly InputToSign[]
  /** True to send the transaction at once; false by default. */
  broadcast?: boolean
}

/** A signed PSBT in base64, and the transaction id if the wallet sent it. */
export type SignedPsbt = { psbt: string; txid?: string }

/**
 * Asks the wallet to sign inputs of a PSBT.
 *
 * @throws LatchkeyError `wallet/invalid-response`; the errors of `Provider.request`
 */
export async function requestPsbtSignature(
  connection: Connection,
  account: AccountId,
  { psbt, inputs, broadcast = false }: PsbtRequest,
): Promise<SignedPsbt> {
  const method = 'signPsbt'
  const { address: selected } = parseAccountId(account)
  const signInputs = inputs.map(({ address = selected, index, sighashTypes }) => ({ address, index, sighashTypes }))
  const params = { account: selected, psbt, signInputs, broadcast }
  const response = await connection.provider.request({ method, params })
  const [signed, txid] = [getField(response, 'psbt'), getField(response, 'txid')]
  if (typeof signed !== 'string' || !isPsbt(signed)) throw invalidBitcoinResponse(connection, method)
  if (txid !== undefined && txid !== '' && !isTransactionId(txid)) throw invalidBitcoinResponse(connection, method)
  if (broadcast && !isTransactionId(txid)) throw invalidBitcoinResponse(connection, method)
  return isTransactionId(txid) ? { psbt: signed, txid } : { psbt: signed }
}

/** Every PSBT begins with the bytes `psbt\xff`. */
function isPsbt(text: string): boolean {
  try {
    return text.startsWith('cHNidP') && base64.decode(text).length > 5
  } catch {
    return false
  }
}
