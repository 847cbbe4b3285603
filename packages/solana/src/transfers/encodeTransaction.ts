import type { Fee } from '@latchkey/core/money'
import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Blockhash,
} from '@solana/kit'
import type { TransferPlan } from './transferPlan.ts'

/** The blockhash of a transaction, and the last block that can include it. */
export type Lifetime = { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint }

/** An unsigned transaction in wire format, and the part of it that is signed. */
export type UnsignedTransaction = { readonly wire: Uint8Array; readonly message: Uint8Array }

/**
 * Encodes planned instructions as an unsigned transaction.
 *
 * @param price the priority fee in millionths of a lamport per compute unit; without it, the transaction sets no limit
 */
export function encodeTransaction(
  { payer, instructions, units }: TransferPlan,
  lifetime: Lifetime,
  price?: Fee['price'],
): UnsignedTransaction {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
  )
  const transaction = compileTransaction(
    price === undefined
      ? message
      : setTransactionMessageComputeUnitPrice(price, setTransactionMessageComputeUnitLimit(units, message)),
  )
  return {
    wire: new Uint8Array(getTransactionEncoder().encode(transaction)),
    message: new Uint8Array(transaction.messageBytes),
  }
}
