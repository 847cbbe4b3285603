import { requireConnectedWallet } from '@latchkey/adapter-kit'
import type { Latchkey } from '@latchkey/core'
import { inputError } from '@latchkey/protocol'
import type { SigningProtocol } from '../wallet/requestMessageSignature.ts'

/** The address that signs, and the signing protocol. */
export type SignBitcoinMessageOptions = {
  /** An address of the wallet; the selected account by default. */
  address?: string
  /** By default `bip322` for Taproot addresses and `ecdsa` for all others. */
  protocol?: SigningProtocol
}

/**
 * Asks the connected Bitcoin wallet to sign a message with one of its addresses.
 *
 * @returns the signature in base64
 * @throws LatchkeyError `connection/not-connected`, `address/invalid`, `request/rejected`, `request/failed`
 * @example const signature = await signBitcoinMessage(latchkey, 'Hello', { protocol: 'bip322' })
 */
export async function signBitcoinMessage(
  latchkey: Latchkey,
  message: string,
  { address, protocol }: SignBitcoinMessageOptions = {},
): Promise<string> {
  const { connection, account } = requireConnectedWallet(latchkey, 'bip122')
  const signer = address === undefined ? account : connection.accounts.find((each) => each.endsWith(`:${address}`))
  if (signer === undefined) throw inputError('address/invalid', { namespace: 'bip122', value: address ?? '' })
  const { requestMessageSignature } = await import('../wallet/requestMessageSignature.ts')
  return requestMessageSignature(connection, signer, message, protocol)
}
