import type { Connection } from '@latchkey/core'
import { LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { getTransactionDecoder, getTransactionEncoder, isAddress, type SignatureBytes } from '@solana/kit'
import { read } from './readWallet.ts'
import { fromBase58, fromBase64, signatureOf, toBase64 } from './wire.ts'

/**
 * Asks the wallet to sign a transaction.
 *
 * @returns the signed one; wallets may have changed it
 */
export async function askToSign(
  { provider, wallet }: Connection,
  account: AccountId,
  transaction: Uint8Array,
): Promise<Uint8Array> {
  const method = 'solana_signTransaction'
  const { address: pubkey } = parseAccountId(account)
  const answer = await provider.request({ method, params: { transaction: toBase64(transaction), pubkey } })
  const signed =
    fromBase64(read(answer, 'transaction')) ?? withSignature(transaction, pubkey, read(answer, 'signature'))
  if (signed !== undefined && signatureOf(signed, pubkey) !== undefined) return signed
  throw new LatchkeyError('wallet/invalid-answer', { wallet: wallet.name, method })
}

/** Asks the wallet to sign several transactions with one consent. */
export async function askToSignAll(
  { provider, wallet }: Connection,
  account: AccountId,
  transactions: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const method = 'solana_signAllTransactions'
  const { address: pubkey } = parseAccountId(account)
  const params = { transactions: transactions.map(toBase64), pubkey }
  const answers = read(await provider.request({ method, params }), 'transactions')
  const signed = (Array.isArray(answers) ? answers : []).map(fromBase64)
  const whole = signed.filter((each) => each !== undefined && signatureOf(each, pubkey) !== undefined)
  if (whole.length === transactions.length) return whole.filter((each) => each !== undefined)
  throw new LatchkeyError('wallet/invalid-answer', { wallet: wallet.name, method })
}

/** Some wallets answer with the signature alone, which then has its place in what was asked. */
function withSignature(transaction: Uint8Array, signer: string, answer: unknown): Uint8Array | undefined {
  const bytes = fromBase58(answer)
  if (bytes?.length !== 64 || !isAddress(signer)) return undefined
  const unsigned = getTransactionDecoder().decode(transaction)
  if (!(signer in unsigned.signatures)) return undefined
  // 64 bytes are a signature's; whether it fits is for the network to say.
  const signatures = { ...unsigned.signatures, [signer]: bytes as Uint8Array as SignatureBytes }
  return new Uint8Array(getTransactionEncoder().encode({ ...unsigned, signatures }))
}
