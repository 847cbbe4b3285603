import type { Connection } from '@latchkey/core'
import { parseAccountId, walletError, type AccountId } from '@latchkey/protocol'
import { verifySolanaBytes } from '@latchkey/verify/solana'
import { getTransactionDecoder, type Transaction } from '@solana/kit'
import { fromBase58 } from '../wallet/base58.ts'
import { requestSignature, requestSignatures } from '../wallet/requestSignature.ts'
import { requestMessageSignature, signMessageMethod } from '../wallet/signSolanaMessage.ts'

/**
 * Asks the wallet to sign the bytes of a message, and verifies the signature.
 *
 * @returns the signature, 64 bytes
 * @throws LatchkeyError `wallet/invalid-response` if the account did not sign exactly these bytes; the errors of
 *   `Provider.request`
 */
export async function requestVerifiedMessage(
  connection: Connection,
  account: AccountId,
  message: Uint8Array,
): Promise<Uint8Array> {
  const signature = fromBase58(await requestMessageSignature(connection, account, message))
  const { address } = parseAccountId(account)
  if (signature !== undefined && verifySolanaBytes(address, message, signature)) return signature
  throw walletError('wallet/invalid-response', { wallet: connection.wallet.name, method: signMessageMethod })
}

/**
 * Asks the wallet to sign transactions with a single approval, and verifies its signatures. The wallet may change a transaction,
 * for example to raise its fee, unless others have signed it: their signatures would become invalid.
 *
 * @param transactions in wire format
 * @returns the signed transactions in wire format, in the same order
 * @throws LatchkeyError `wallet/invalid-response`; the errors of `Provider.request`
 */
export async function requestVerifiedTransactions(
  connection: Connection,
  account: AccountId,
  transactions: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const [first] = transactions
  if (first === undefined) return []
  const isSingle = transactions.length === 1
  const signed = isSingle
    ? [await requestSignature(connection, account, first)]
    : await requestSignatures(connection, account, transactions)
  const { address } = parseAccountId(account)
  const areValid = transactions.every((given, index) => isTransactionSignedBy(address, given, signed[index]))
  if (areValid) return signed
  const method = isSingle ? 'solana_signTransaction' : 'solana_signAllTransactions'
  throw walletError('wallet/invalid-response', { wallet: connection.wallet.name, method })
}

/** True if the account signed the transaction, and no signature of others became invalid by that. */
function isTransactionSignedBy(address: string, given: Uint8Array, signed: Uint8Array | undefined): boolean {
  if (signed === undefined) return false
  const [before, after] = [given, signed].map((wire) => getTransactionDecoder().decode(wire))
  if (before === undefined || after === undefined) return false
  const signature = signaturesOf(after).get(address)
  if (signature === undefined) return false
  if (!verifySolanaBytes(address, new Uint8Array(after.messageBytes), signature)) return false
  const isSignedByOthers = [...signaturesOf(before).keys()].some((signer) => signer !== address)
  return !isSignedByOthers || isSameMessage(before, after)
}

/** The signatures that a transaction has, by address. */
function signaturesOf({ signatures }: Transaction): ReadonlyMap<string, Uint8Array> {
  const present = Object.entries(signatures).flatMap(([signer, signature]) =>
    signature === null ? [] : [[signer, new Uint8Array(signature)] as const],
  )
  return new Map(present)
}

/** True if two transactions have the same message, which is the part that is signed. */
export function isSameMessage(one: Transaction, other: Transaction): boolean {
  const bytes = new Uint8Array(other.messageBytes)
  return (
    one.messageBytes.length === bytes.length &&
    new Uint8Array(one.messageBytes).every((byte, index) => byte === bytes[index])
  )
}
