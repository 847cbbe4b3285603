import { tryOrUndefined } from '@latchkey/adapter-kit'
import { getTransactionDecoder, isSignature } from '@solana/kit'

/** Accepts a signature from a wallet: 64 bytes in base58. */
export function parseSignature(value: unknown): string | undefined {
  return typeof value === 'string' && isSignature(value) ? value : undefined
}

/** Returns the signature of an account in a transaction, or `undefined` if the account has not signed it. */
export function getSignature(transaction: Uint8Array, signer: string): Uint8Array | undefined {
  return tryOrUndefined(() => {
    const signatures = new Map(Object.entries(getTransactionDecoder().decode(transaction).signatures))
    const signature = signatures.get(signer)
    return signature === undefined || signature === null ? undefined : new Uint8Array(signature)
  })
}
