import { base58, base64 } from '@scure/base'
import { getTransactionDecoder, getTransactionEncoder, type SignatureBytes } from '@solana/kit'
import { askChain, isRecord } from '../chainRpc.ts'
import { RpcError } from '../rpcError.ts'
import type { SolanaKey } from './keys.ts'

/** What a question of a page is about, in JSON: bytes are base64. */
export type SolanaQuestion = {
  address?: string
  message?: string
  transactions?: readonly string[]
  chain?: string
  options?: unknown
}

/** Does what a key is needed for, with a real one. Bytes go and come in base64. */
export async function signWith(
  accounts: readonly SolanaKey[],
  rpcUrls: Readonly<Record<string, string>>,
  method: string,
  question: SolanaQuestion,
): Promise<readonly string[]> {
  const { address, message = '', transactions = [], chain = '', options } = question
  const key = accounts.find((each) => each.address === address)
  if (key === undefined) throw new RpcError(4100, 'The account has not been authorized by the user.')
  switch (method) {
    case 'solana:signMessage':
      return [base64.encode(key.sign(base64.decode(message)))]
    case 'solana:signTransaction':
      return transactions.map((each) => base64.encode(signTransaction(key, base64.decode(each))))
    case 'solana:signAndSendTransaction': {
      const rpcUrl = rpcUrls[chain]
      if (rpcUrl === undefined) throw new RpcError(-32602, `The wallet does not know ${chain}.`)
      const sent = []
      for (const each of transactions) sent.push(await send(rpcUrl, signTransaction(key, base64.decode(each)), options))
      return sent
    }
    default:
      throw new RpcError(4200, `The wallet has no method ${method}.`)
  }
}

/** Puts a key's signature in its place. */
function signTransaction(key: SolanaKey, wire: Uint8Array): Uint8Array {
  const transaction = getTransactionDecoder().decode(wire)
  if (!(key.address in transaction.signatures)) throw new RpcError(-32602, 'The account is no signer of this.')
  // The runtime's type for 64 bytes of a signature, which these are.
  const signature = key.sign(new Uint8Array(transaction.messageBytes)) as Uint8Array as SignatureBytes
  const signatures = { ...transaction.signatures, [key.address]: signature }
  return new Uint8Array(getTransactionEncoder().encode({ ...transaction, signatures }))
}

async function send(rpcUrl: string, wire: Uint8Array, options: unknown): Promise<string> {
  const config = { ...(isRecord(options) ? options : {}), encoding: 'base64' }
  const signature = await askChain(rpcUrl, 'sendTransaction', [base64.encode(wire), config])
  return base64.encode(base58.decode(String(signature)))
}
