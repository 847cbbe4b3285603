import {
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type SignatureBytes,
  type Transaction,
} from '@solana/kit'
import { base58, base64 } from '@scure/base'
import { refusals } from '../../rpcError.ts'
import type { SolanaAccount } from './keys.ts'

/** One step of a transaction. */
export type Step = { program: string; accounts: readonly string[]; data: Uint8Array }

/** A transaction, read. */
export type SolanaTransaction = {
  transaction: Transaction
  feePayer: string
  /** Who has to sign. */
  signers: readonly string[]
  steps: readonly Step[]
}

/**
 * Reads a transaction in base64.
 *
 * @throws RpcError -32602.
 */
export function readTransaction(value: unknown): SolanaTransaction {
  if (typeof value !== 'string') throw refusals.invalid('no transaction')
  try {
    const transaction = getTransactionDecoder().decode(base64.decode(value))
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    if (message.version === 1) throw refusals.invalid('a transaction of version 1')
    const { staticAccounts, header, instructions } = message
    // An address of a lookup table is known to its network alone.
    const addressAt = (at: number): string => staticAccounts[at] ?? `Address ${at} of a lookup table`
    return {
      transaction,
      feePayer: addressAt(0),
      signers: staticAccounts.slice(0, header.numSignerAccounts),
      steps: instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
        program: addressAt(programAddressIndex),
        accounts: accountIndices.map(addressAt),
        data: new Uint8Array(data),
      })),
    }
  } catch {
    throw refusals.invalid('the transaction cannot be read')
  }
}

/** Puts an account's signature under a transaction; its signature and the whole, as they travel. */
export function signTransaction(
  { transaction }: SolanaTransaction,
  account: SolanaAccount,
): { signature: string; transaction: string } {
  const bytes = account.sign(new Uint8Array(transaction.messageBytes))
  // 64 bytes of Ed25519, which is what the name stands for.
  const signatures = { ...transaction.signatures, [account.address]: bytes as Uint8Array as SignatureBytes }
  const wire = new Uint8Array(getTransactionEncoder().encode({ ...transaction, signatures }))
  return { signature: base58.encode(bytes), transaction: base64.encode(wire) }
}
