import type { Connection as WalletConnection, Latchkey } from '@latchkey/core'
import { getField, parseAccountId, walletError } from '@latchkey/protocol'
import { signAllTransactions, signAndSendTransaction, signTransaction, type SendOptions } from '@latchkey/solana'
import { base58 } from '@scure/base'
import { PublicKey, type Connection, type Transaction, type VersionedTransaction } from '@solana/web3.js'

/** A transaction of `@solana/web3.js`. */
export type SolanaTransaction = Transaction | VersionedTransaction

/** The provider of a Solana wallet, for `@solana/web3.js`. */
export type SolanaProvider = {
  readonly name: string
  readonly publicKey: PublicKey
  /** @returns the signature, 64 bytes */
  signMessage(message: Uint8Array): Promise<Uint8Array>
  signTransaction<transaction extends SolanaTransaction>(transaction: transaction): Promise<transaction>
  signAllTransactions<transaction extends SolanaTransaction>(
    transactions: readonly transaction[],
  ): Promise<transaction[]>
  /** @returns the signature in base58 */
  signAndSendTransaction(transaction: SolanaTransaction, options?: SendOptions): Promise<string>
  /** Signs with the wallet and sends through the connection of the app. */
  sendTransaction(transaction: SolanaTransaction, connection: Connection, options?: SendOptions): Promise<string>
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

/** Creates the provider of a connection. */
export function createSolanaProvider({
  latchkey,
  connection,
}: {
  latchkey: Latchkey
  connection: WalletConnection
}): SolanaProvider {
  const { provider, wallet, accounts } = connection
  const { address } = parseAccountId(accounts[0])
  async function sign<transaction extends SolanaTransaction>(unsigned: transaction): Promise<transaction> {
    return deserialize(unsigned, await signTransaction(latchkey, serializeTransaction(unsigned)))
  }
  return {
    name: wallet.name,
    publicKey: new PublicKey(address),
    async signMessage(message) {
      const method = 'solana_signMessage'
      const params = { message: base58.encode(message), pubkey: address }
      const signature = getField(await provider.request({ method, params }), 'signature')
      if (typeof signature === 'string') return base58.decode(signature)
      throw walletError('wallet/invalid-response', { wallet: wallet.name, method })
    },
    signTransaction: sign,
    async signAllTransactions(unsigned) {
      const signed = await signAllTransactions(latchkey, unsigned.map(serializeTransaction))
      return unsigned.map((each, index) => deserialize(each, signed[index] ?? serializeTransaction(each)))
    },
    signAndSendTransaction: (transaction, options) =>
      signAndSendTransaction(latchkey, serializeTransaction(transaction), options),
    async sendTransaction(transaction, through, options) {
      const signed = await sign(await withBlockhash(transaction, through))
      return through.sendRawTransaction(serializeTransaction(signed), options)
    },
    request: (args) => provider.request(args),
  }
}

/** Legacy transactions can have the fields that the network requires added. */
async function withBlockhash(transaction: SolanaTransaction, connection: Connection): Promise<SolanaTransaction> {
  if ('version' in transaction || transaction.recentBlockhash !== undefined) return transaction
  const { blockhash } = await connection.getLatestBlockhash()
  return Object.assign(transaction, { recentBlockhash: blockhash })
}

function serializeTransaction(transaction: SolanaTransaction): Uint8Array {
  if ('version' in transaction) return transaction.serialize()
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false })
}

/** Creates a transaction of the same class. The wallet may have changed it. */
function deserialize<transaction extends SolanaTransaction>(like: transaction, bytes: Uint8Array): transaction {
  // The constructors of the app's own version of the library, whose objects these are.
  const { constructor } = like as unknown as {
    constructor: { deserialize?(bytes: Uint8Array): transaction; from?(bytes: Uint8Array): transaction }
  }
  return ('version' in like ? constructor.deserialize?.(bytes) : constructor.from?.(bytes)) ?? like
}
