import type { Connection } from '@latchkey/core'
import { getField, walletError } from '@latchkey/protocol'

/**
 * Reads the signature in a wallet's response.
 *
 * @throws LatchkeyError `wallet/invalid-response`
 */
export function parsePolkadotSignature({ wallet }: Connection, method: string, response: unknown): `0x${string}` {
  const signature = getField(response, 'signature')
  if (typeof signature !== 'string' || !/^(0x)?([0-9a-f]{2}){64,66}$/i.test(signature)) {
    throw walletError('wallet/invalid-response', { wallet: wallet.name, method })
  }
  return `0x${signature.replace(/^0x/i, '')}`
}
