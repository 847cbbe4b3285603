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
import type { Plan } from './plan.ts'

/** How long a transaction can be taken. */
export type Lifetime = { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint }

/** A transaction that nobody signed yet: as it travels, and the part that is signed. */
export type Unsigned = { readonly wire: Uint8Array; readonly message: Uint8Array }

/**
 * Writes what was planned as a transaction.
 *
 * @param price millionths of a lamport for each unit of work, above the fixed fee; nothing is said of it when left out
 */
export function writeTransaction(
  { payer, instructions, units }: Plan,
  lifetime: Lifetime,
  price?: Fee['price'],
): Unsigned {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (living) => appendTransactionMessageInstructions(instructions, living),
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
