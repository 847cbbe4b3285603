import { requireConnectedWallet } from '@latchkey/adapter-kit'
import type { Latchkey } from '@latchkey/core'

/**
 * Asks the connected Polkadot wallet to sign raw data. The wallet signs it between `<Bytes>` and `</Bytes>`, so that the
 * data can never be a transaction.
 *
 * @param data a string, or bytes
 * @returns the signature in hex with `0x`
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/unknown`, `wallet/invalid-response`
 * @example const signature = await signRaw(latchkey, 'Hello')
 */
export async function signRaw(latchkey: Latchkey, data: string | Uint8Array): Promise<`0x${string}`> {
  const { connection, account } = requireConnectedWallet(latchkey, 'polkadot')
  const { requestRawSignature } = await import('../wallet/requestRawSignature.ts')
  return requestRawSignature(connection, account, data)
}
