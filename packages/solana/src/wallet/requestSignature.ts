import type { Connection } from '@latchkey/core'
import { getField, getListField, parseAccountId, type AccountId, walletError } from '@latchkey/protocol'
import { getTransactionDecoder, getTransactionEncoder, isAddress, type SignatureBytes } from '@solana/kit'
import { fromBase58, fromBase64, toBase64 } from './base58.ts'
import { getSignature } from './signatures.ts'

/**
 * Asks the wallet to sign a transaction.
 *
 * @returns the signed transaction in wire format, which the wallet may have changed
 * @throws LatchkeyError `wallet/invalid-response`; the errors of `Provider.request`
 */
export async function requestSignature(
  { provider, wallet }: Connection,
  account: AccountId,
  transaction: Uint8Array,
): Promise<Uint8Array> {
  const method = 'solana_signTransaction'
  const { address: pubkey } = parseAccountId(account)
  const response = await provider.request({ method, params: { transaction: toBase64(transaction), pubkey } })
  const signed =
    fromBase64(getField(response, 'transaction')) ??
    insertSignature(transaction, pubkey, getField(response, 'signature'))
  if (signed !== undefined && getSignature(signed, pubkey) !== undefined) return signed
  throw walletError('wallet/invalid-response', { wallet: wallet.name, method })
}

/**
 * Asks the wallet to sign several transactions with a single approval.
 *
 * @throws LatchkeyError `wallet/invalid-response`; the errors of `Provider.request`
 */
export async function requestSignatures(
  { provider, wallet }: Connection,
  account: AccountId,
  transactions: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const method = 'solana_signAllTransactions'
  const { address: pubkey } = parseAccountId(account)
  const params = { transactions: transactions.map(toBase64), pubkey }
  const responses = getListField(await provider.request({ method, params }), 'transactions')
  const signed = responses
    .map(fromBase64)
    .filter((bytes) => bytes !== undefined)
    .filter((bytes) => getSignature(bytes, pubkey) !== undefined)
  if (signed.length === transactions.length) return signed
  throw walletError('wallet/invalid-response', { wallet: wallet.name, method })
}

/** Inserts a signature into a transaction, for wallets that return only the signature. */
function insertSignature(transaction: Uint8Array, signer: string, response: unknown): Uint8Array | undefined {
  const bytes = fromBase58(response)
  if (bytes?.length !== 64 || !isAddress(signer)) return undefined
  const unsigned = getTransactionDecoder().decode(transaction)
  if (!(signer in unsigned.signatures)) return undefined
  // A signature has 64 bytes. The network verifies whether it is valid.
  const signatures = { ...unsigned.signatures, [signer]: bytes as Uint8Array as SignatureBytes }
  return new Uint8Array(getTransactionEncoder().encode({ ...unsigned, signatures }))
}
