import {
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type SignatureBytes,
  type Transaction,
} from '@solana/kit'
import { base58, base64 } from '@scure/base'
import { rpcErrors } from '../../rpcError.ts'
import type { SolanaAccount } from './solanaAccount.ts'

/** One instruction of a transaction. */
export type SolanaInstruction = { program: string; accounts: readonly string[]; data: Uint8Array }

/** A parsed transaction. */
export type SolanaTransaction = {
  transaction: Transaction
  feePayer: string
  /** The addresses that have to sign. */
  signers: readonly string[]
  instructions: readonly SolanaInstruction[]
}

/**
 * Parses a transaction in base64.
 *
 * @throws RpcError -32602 if the parameters are invalid
 */
export function parseSolanaTransaction(value: unknown): SolanaTransaction {
  if (typeof value !== 'string') throw rpcErrors.invalid('transaction is missing')
  try {
    const transaction = getTransactionDecoder().decode(base64.decode(value))
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    if (message.version === 1) throw rpcErrors.invalid('transactions of version 1 are not supported')
    const { staticAccounts, header, instructions } = message
    // Only the network can resolve an address of a lookup table.
    const addressAt = (at: number): string => staticAccounts[at] ?? `Address ${at} of a lookup table`
    return {
      transaction,
      feePayer: addressAt(0),
      signers: staticAccounts.slice(0, header.numSignerAccounts),
      instructions: instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
        program: addressAt(programAddressIndex),
        accounts: accountIndices.map(addressAt),
        data: new Uint8Array(data),
      })),
    }
  } catch {
    throw rpcErrors.invalid('the transaction is malformed')
  }
}

/** Signs a transaction. Returns the signature in base58 and the signed transaction in base64. */
export function signSolanaTransaction(
  { transaction }: SolanaTransaction,
  account: SolanaAccount,
): { signature: string; transaction: string } {
  const bytes = account.sign(new Uint8Array(transaction.messageBytes))
  // `SignatureBytes` is a brand for the 64 bytes of an Ed25519 signature.
  const signatures = { ...transaction.signatures, [account.address]: bytes as Uint8Array as SignatureBytes }
  const wire = new Uint8Array(getTransactionEncoder().encode({ ...transaction, signatures }))
  return { signature: base58.encode(bytes), transaction: base64.encode(wire) }
}
