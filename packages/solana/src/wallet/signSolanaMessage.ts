import type { Connection } from '@latchkey/core'
import { getField, parseAccountId, type AccountId, walletError } from '@latchkey/protocol'
import { getUtf8Encoder } from '@solana/kit'
import { toBase58 } from './base58.ts'
import { parseSignature } from './signatures.ts'

/** The method with which wallets sign messages, in the page and over WalletConnect. */
export const signMessageMethod = 'solana_signMessage'

/**
 * Asks the wallet to sign a text message.
 *
 * @returns the signature in base58
 * @throws LatchkeyError `wallet/invalid-response`; the errors of `Provider.request`
 */
export async function signSolanaMessage(connection: Connection, account: AccountId, message: string): Promise<string> {
  return requestMessageSignature(connection, account, new Uint8Array(getUtf8Encoder().encode(message)))
}

/**
 * Asks the wallet to sign the bytes of a message.
 *
 * @returns the signature in base58
 * @throws LatchkeyError `wallet/invalid-response`; the errors of `Provider.request`
 */
export async function requestMessageSignature(
  { provider, wallet }: Connection,
  account: AccountId,
  message: Uint8Array,
): Promise<string> {
  const params = { message: toBase58(message), pubkey: parseAccountId(account).address }
  const response = await provider.request({ method: signMessageMethod, params })
  const signature = parseSignature(getField(response, 'signature'))
  if (signature !== undefined) return signature
  throw walletError('wallet/invalid-response', { wallet: wallet.name, method: signMessageMethod })
}
