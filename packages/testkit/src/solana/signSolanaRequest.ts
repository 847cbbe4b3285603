import { base58, base64 } from '@scure/base'
import { getTransactionDecoder, getTransactionEncoder, type SignatureBytes } from '@solana/kit'
import { isRecord } from '@latchkey/protocol'
import { requestChain } from '../evm/requestChain.ts'
import { RpcError } from '../rpcError.ts'
import type { SolanaKey } from './keys.ts'

/** The JSON parameters of a signing request. Bytes are base64. */
export type SolanaSigningRequest = {
  address?: string
  message?: string
  transactions?: readonly string[]
  chain?: string
  options?: unknown
}

/** Executes a method that needs a key. Bytes are base64. */
export async function signSolanaRequest(
  accounts: readonly SolanaKey[],
  rpcUrls: Readonly<Record<string, string>>,
  method: string,
  request: SolanaSigningRequest,
): Promise<readonly string[]> {
  const { address, message = '', transactions = [], chain = '', options } = request
  const key = accounts.find((each) => each.address === address)
  if (key === undefined) throw new RpcError(4100, 'The account has not been authorized by the user.')
  switch (method) {
    case 'solana:signMessage':
      return [base64.encode(key.sign(base64.decode(message)))]
    case 'solana:signTransaction':
      return transactions.map((each) => base64.encode(addSolanaSignature(key, base64.decode(each))))
    case 'solana:signAndSendTransaction': {
      const rpcUrl = rpcUrls[chain]
      if (rpcUrl === undefined) throw new RpcError(-32602, `The wallet does not know ${chain}.`)
      const sent = []
      for (const each of transactions)
        sent.push(await sendSolanaTransaction(rpcUrl, addSolanaSignature(key, base64.decode(each)), options))
      return sent
    }
    default:
      throw new RpcError(4200, `The wallet has no method ${method}.`)
  }
}

/** Adds a key's signature to a transaction. */
function addSolanaSignature(key: SolanaKey, wire: Uint8Array): Uint8Array {
  const transaction = getTransactionDecoder().decode(wire)
  if (!(key.address in transaction.signatures)) throw new RpcError(-32602, 'The account is not a signer of this.')
  // An Ed25519 signature has 64 bytes, as the branded type requires.
  const signature = key.sign(new Uint8Array(transaction.messageBytes)) as Uint8Array as SignatureBytes
  const signatures = { ...transaction.signatures, [key.address]: signature }
  return new Uint8Array(getTransactionEncoder().encode({ ...transaction, signatures }))
}

async function sendSolanaTransaction(rpcUrl: string, wire: Uint8Array, options: unknown): Promise<string> {
  const config = { ...(isRecord(options) ? options : {}), encoding: 'base64' }
  const signature = await requestChain(rpcUrl, 'sendTransaction', [base64.encode(wire), config])
  return base64.encode(base58.decode(String(signature)))
}
