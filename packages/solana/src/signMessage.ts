import type { Connection } from '@latchkey/core'
import { LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { getBase58Decoder, getUtf8Encoder } from '@solana/kit'
import { read } from './readWallet.ts'
import { readSignature } from './wire.ts'

/**
 * Asks the wallet to sign a text.
 *
 * @returns the signature in base58
 */
export async function signMessage(
  { provider, wallet }: Connection,
  account: AccountId,
  message: string,
): Promise<string> {
  const method = 'solana_signMessage'
  const params = {
    message: getBase58Decoder().decode(getUtf8Encoder().encode(message)),
    pubkey: parseAccountId(account).address,
  }
  const signature = readSignature(read(await provider.request({ method, params }), 'signature'))
  if (signature !== undefined) return signature
  throw new LatchkeyError('wallet/invalid-answer', { wallet: wallet.name, method })
}
