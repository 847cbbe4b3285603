import type { Block, Hex, TransferKind } from '../block.ts'
import type { IndexPosition } from '../indexStore.ts'

/** The writer of a chain: its number, and the term of the lease. */
export type Writer = Pick<IndexPosition, 'chain' | 'term'>

/** Blocks whose transactions with an address are not indexed yet. They are indexed from the newest to the oldest. */
export type AddressGap = { address: Hex; from: number; to: number }

/** A transfer or approval that concerns an account. */
export type TransferRecord = {
  kind: TransferKind
  token: Hex
  sender: Hex
  receiver: Hex
  tokenId: string | null
  amount: string
}

/** The position of a transaction in a history, which is sorted from the newest to the oldest by these, in this order. */
export type HistoryPlace = {
  /** Milliseconds. */
  minedAt: number
  /** The chain's number in the tables. */
  chain: number
  block: number
  position: number
}

/** A transaction of an account, with the transfers that concern the account. */
export type HistoryRow = HistoryPlace & {
  hash: Hex
  sender: Hex
  receiver: Hex | null
  created: Hex | null
  nonce: number
  method: Hex | null
  succeeded: boolean
  transfers: readonly TransferRecord[]
}

export type HistoryPageRequest = {
  account: Hex
  chains: readonly number[]
  /** The last transaction of the previous page. */
  after: HistoryPlace | undefined
  limit: number
}

export type AddBlocksOptions = {
  /** The head of the chain. */
  target: number
  /** The addresses whose received tokens are stored; all by default. */
  holders?: ReadonlySet<Hex> | undefined
}

/** Further transfers of a transaction are not part of a history. */
export const transfersPerTransaction = 50

/**
 * The transactions of addresses on the indexed chains. A reader never sees a part of a block, a block above the head, or a
 * block that a reorg has removed. A method with a writer or position changes nothing if its term is over, because another
 * process indexes the chain then. Every implementation passes `describeHistoryStore`.
 */
export type HistoryStore = {
  /**
   * Adds blocks that follow the head, and moves the head.
   *
   * @returns false, without a visible change, if the head has changed or the term is over
   */
  add(position: IndexPosition, blocks: readonly Block[], options: AddBlocksOptions): Promise<boolean>
  /**
   * Deletes all blocks after `to`, and moves the head there.
   *
   * @returns false, without a change, if the term is over
   */
  rewind(position: IndexPosition, to: number): Promise<boolean>
  /**
   * Adds transactions of a gap, and shrinks the gap to the blocks below `below`.
   *
   * @param found.blocks with transactions of this address only
   * @returns false if the term is over
   */
  addFound(writer: Writer, gap: AddressGap, found: { blocks: readonly Block[]; below: number }): Promise<boolean>
  /**
   * Deletes the oldest transactions of an address above a number. Its gap then reaches up to the newest deleted block.
   *
   * @param limit.first the first block that is indexed for addresses
   */
  trim(writer: Writer, address: Hex, limit: { maxTransactions: number; first: number }): Promise<void>
  /** Deletes the transactions of an address, except those that other addresses need. */
  remove(writer: Writer, address: Hex): Promise<void>
  /** Deletes the hashes of the blocks below a block, which a reorg can no longer reach. */
  forgetHashes(writer: Writer, below: number): Promise<void>
  /** Lists transactions of an account, newest first. */
  page(request: HistoryPageRequest): Promise<readonly HistoryRow[]>
  /** Gets the block of the newest transaction of an account on a chain. */
  findLastBlock(chain: number, account: Hex): Promise<number | undefined>
}
