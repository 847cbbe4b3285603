import type { Connection } from '@latchkey/core'
import { getField, parseAccountId, type AccountId, walletError } from '@latchkey/protocol'
import { getUtf8Encoder } from '@solana/kit'
import { toBase58 } from './base58.ts'
import { parseSignature } from './signatures.ts'

/**
 * Asks the wallet to sign a text message.
 *
 * @returns the signature in base58
 * @throws LatchkeyError `wallet/invalid-response`; the errors of `Provider.request`
 */
export async function signSolanaMessage(
  { provider, wallet }: Connection,
  account: AccountId,
  message: string,
): Promise<string> {
  const method = 'solana_signMessage'
  const params = {
    message: toBase58(new Uint8Array(getUtf8Encoder().encode(message))),
    pubkey: parseAccountId(account).address,
  }
  const signature = parseSignature(getField(await provider.request({ method, params }), 'signature'))
  if (signature !== undefined) return signature
  throw walletError('wallet/invalid-response', { wallet: wallet.name, method })
}
