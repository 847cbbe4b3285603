import { requireConnectedWallet } from '@latchkey/adapter-kit'
import type { Latchkey } from '@latchkey/core'
import type { PolkadotPayload, SignedPayload } from '../wallet/requestPayloadSignature.ts'

/**
 * Asks the connected Polkadot wallet to sign a transaction that your app encoded with the metadata of its runtime.
 *
 * @returns the signature in hex with `0x`, which starts with the byte of its scheme; and the signed transaction if the
 *   payload asks for it and the wallet returns it
 * @throws LatchkeyError `connection/not-connected`, `network/unsupported`, `request/rejected`, `request/unknown`,
 *   `wallet/invalid-response`
 * @example const { signature } = await signPayload(latchkey, payload)
 */
export async function signPayload(latchkey: Latchkey, payload: PolkadotPayload): Promise<SignedPayload> {
  const { connection, account } = requireConnectedWallet(latchkey, 'polkadot')
  const { requestPayloadSignature } = await import('../wallet/requestPayloadSignature.ts')
  return requestPayloadSignature(connection, account, payload)
}
