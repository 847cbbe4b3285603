import type { Connection } from '@latchkey/core'
import { getField, parseAccountId, type AccountId } from '@latchkey/protocol'
import { base64, hex } from '@scure/base'
import { isTaprootAddress } from '../address/isTaprootAddress.ts'
import { invalidBitcoinResponse } from './responses.ts'

/** The protocol of a message signature: `ecdsa` is the older recoverable signature, `bip322` the newer standard. */
export type SigningProtocol = 'ecdsa' | 'bip322'

/**
 * Asks the wallet to sign a message.
 *
 * @param protocol by default `bip322` for Taproot addresses, which have no other protocol, and `ecdsa` for all others
 * @returns the signature in base64
 * @throws LatchkeyError `wallet/invalid-response`; the errors of `Provider.request`
 */
export async function requestMessageSignature(
  connection: Connection,
  account: AccountId,
  message: string,
  protocol?: SigningProtocol,
): Promise<string> {
  const method = 'signMessage'
  const { address } = parseAccountId(account)
  const chosen = protocol ?? (isTaprootAddress(address) ? 'bip322' : 'ecdsa')
  const params = { account: address, message, address, protocol: chosen }
  const signature = getField(await connection.provider.request({ method, params }), 'signature')
  const encoded = typeof signature === 'string' ? toBase64Signature(signature) : undefined
  if (encoded === undefined) throw invalidBitcoinResponse(connection, method)
  return encoded
}

/** Remote wallets respond in hex, wallets in the page in base64. No signature is valid in both encodings. */
function toBase64Signature(signature: string): string | undefined {
  try {
    const isHex = /^(0x)?([0-9a-f]{2}){64,}$/i.test(signature)
    const bytes = isHex ? hex.decode(signature.replace(/^0x/i, '').toLowerCase()) : base64.decode(signature)
    return bytes.length >= 64 ? base64.encode(bytes) : undefined
  } catch {
    return undefined
  }
}
