import type { Block, Hex, Transaction } from '../block.ts'

/** True for the addresses whose transactions are stored. */
type IsFollowed = (address: Hex) => boolean

/** Keeps the part of a transaction that concerns followed addresses. Returns undefined if it concerns none. */
function restrictTransaction(transaction: Transaction, isFollowed: IsFollowed): Transaction | undefined {
  const touched = transaction.touched.filter(isFollowed)
  if (touched.length === 0) return undefined
  const transfers = transaction.transfers.filter(({ sender, receiver }) => isFollowed(sender) || isFollowed(receiver))
  return { ...transaction, touched, transfers }
}

/** Keeps the transactions of a block that concern followed addresses. */
export function restrictBlock(block: Block, isFollowed: IsFollowed): Block {
  return { ...block, transactions: block.transactions.flatMap((each) => restrictTransaction(each, isFollowed) ?? []) }
}
