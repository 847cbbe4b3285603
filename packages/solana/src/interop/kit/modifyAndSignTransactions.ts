import type { Latchkey } from '@latchkey/core'
import { walletError } from '@latchkey/protocol'
import {
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  getTransactionLifetimeConstraintFromCompiledTransactionMessage,
  isTransactionWithinSizeLimit,
  type Address,
  type BaseTransactionSignerConfig,
  type SignableMessage,
  type SignatureBytes,
  type SignatureDictionary,
  type Transaction,
  type TransactionWithinSizeLimit,
  type TransactionWithLifetime,
} from '@solana/kit'
import type { SolanaClients } from '../../chain/solanaClients.ts'
import type { ParsedSendOptions } from '../../actions/sendOptions.ts'
import { requireSharedAccount, type SharedWallet } from '../requireSharedAccount.ts'
import { isSameMessage, requestVerifiedMessage, requestVerifiedTransactions } from '../requestVerified.ts'
import { sendThroughWallet } from '../sendThroughWallet.ts'

/** The account of a signer. */
type SigningAccount = Pick<Latchkey, 'wallet'> & { clients: SolanaClients; address: string }
type GivenTransaction = Transaction | (Transaction & TransactionWithLifetime)
type SignedTransaction = Transaction & TransactionWithinSizeLimit & TransactionWithLifetime

/** Signs transactions with one approval. See `TransactionModifyingSigner` of kit. */
export async function modifyAndSignTransactions(
  signer: SigningAccount,
  transactions: readonly GivenTransaction[],
  { abortSignal }: BaseTransactionSignerConfig = {},
): Promise<readonly SignedTransaction[]> {
  const wallet = requireWallet(signer, abortSignal)
  const wires = transactions.map(encodeWire)
  const signing = requestVerifiedTransactions(wallet.connection, wallet.account, wires)
  const signed = await untilAborted(signing, abortSignal)
  return Promise.all(
    transactions.map((given, index) => completeTransaction(wallet, given, signed[index] ?? new Uint8Array())),
  )
}

/** Signs and sends transactions, one after the other. See `TransactionSendingSigner` of kit. */
export async function signAndSendTransactions(
  signer: SigningAccount,
  options: ParsedSendOptions,
  transactions: readonly GivenTransaction[],
  { abortSignal, minContextSlot }: BaseTransactionSignerConfig = {},
): Promise<readonly SignatureBytes[]> {
  const slot = minContextSlot === undefined ? {} : { minContextSlot: Number(minContextSlot) }
  const sent: SignatureBytes[] = []
  for (const transaction of transactions) {
    // An approval that is pending is not aborted: the wallet could still send the transaction.
    const wallet = requireWallet(signer, abortSignal)
    const signature = await sendThroughWallet(signer.clients, wallet, encodeWire(transaction), {
      ...options,
      ...slot,
    })
    sent.push(signature as SignatureBytes)
  }
  return sent
}

/** Signs messages, one after the other. See `MessagePartialSigner` of kit. */
export async function signMessages(
  signer: SigningAccount,
  messages: readonly SignableMessage[],
  { abortSignal }: BaseTransactionSignerConfig = {},
): Promise<readonly SignatureDictionary[]> {
  const signed: SignatureDictionary[] = []
  for (const { content } of messages) {
    const { connection, account } = requireWallet(signer, abortSignal)
    const signing = requestVerifiedMessage(connection, account, new Uint8Array(content))
    const signature = await untilAborted(signing, abortSignal)
    signed.push(Object.freeze({ [signer.address as Address]: signature as SignatureBytes }))
  }
  return signed
}

function requireWallet(signer: SigningAccount, abortSignal: AbortSignal | undefined): SharedWallet {
  abortSignal?.throwIfAborted()
  return requireSharedAccount(signer, signer.address)
}

function encodeWire(transaction: GivenTransaction): Uint8Array {
  return new Uint8Array(getTransactionEncoder().encode(transaction))
}

/** Decodes a signed transaction. It keeps its lifetime, unless the wallet chose another one. */
async function completeTransaction(
  { connection }: SharedWallet,
  given: GivenTransaction,
  wire: Uint8Array,
): Promise<SignedTransaction> {
  const transaction = getTransactionDecoder().decode(wire)
  const lifetimeConstraint = await findLifetime(given, transaction)
  const signed = Object.freeze({ ...transaction, lifetimeConstraint })
  if (isTransactionWithinSizeLimit(signed)) return signed
  throw walletError('wallet/invalid-response', { wallet: connection.wallet.name, method: 'solana_signTransaction' })
}

async function findLifetime(
  given: GivenTransaction,
  signed: Transaction,
): Promise<TransactionWithLifetime['lifetimeConstraint']> {
  const known = 'lifetimeConstraint' in given ? given.lifetimeConstraint : undefined
  if (known !== undefined && isSameMessage(given, signed)) return known
  const message = getCompiledTransactionMessageDecoder().decode(signed.messageBytes)
  const token = known && ('blockhash' in known ? known.blockhash : known.nonce)
  if (known !== undefined && 'lifetimeToken' in message && message.lifetimeToken === token) return known
  // The decoder returns every transaction with a token, which its type does not say.
  return getTransactionLifetimeConstraintFromCompiledTransactionMessage(
    message as Parameters<typeof getTransactionLifetimeConstraintFromCompiledTransactionMessage>[0],
  )
}

/** Rejects with the reason of the signal as soon as it is aborted. */
function untilAborted<result>(promise: Promise<result>, abortSignal: AbortSignal | undefined): Promise<result> {
  if (abortSignal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortSignal.reason)
    abortSignal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => abortSignal.removeEventListener('abort', abort))
  })
}
