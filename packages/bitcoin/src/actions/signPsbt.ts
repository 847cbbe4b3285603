import { requireConnectedWallet } from '@latchkey/adapter-kit'
import type { Latchkey } from '@latchkey/core'
import type { PsbtRequest, SignedPsbt } from '../wallet/requestPsbtSignature.ts'

/**
 * Asks the connected Bitcoin wallet to sign inputs of a PSBT (BIP-174), and to send it if `broadcast` is true.
 *
 * @returns the signed PSBT in base64, and the transaction id if it was sent
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/unknown`, `wallet/invalid-response`
 * @example const { psbt } = await signPsbt(latchkey, { psbt: unsigned, inputs: [{ index: 0 }] })
 */
export async function signPsbt(latchkey: Latchkey, request: PsbtRequest): Promise<SignedPsbt> {
  const { connection, account } = requireConnectedWallet(latchkey, 'bip122')
  const { requestPsbtSignature } = await import('../wallet/requestPsbtSignature.ts')
  return requestPsbtSignature(connection, account, request)
}
