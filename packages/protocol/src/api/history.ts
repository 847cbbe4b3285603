import type { ChainId } from '../caip/accountId.ts'

/** A transferred token. Names may be missing, because many contracts have none, and flags on older servers. */
export type HistoryFungible = {
  name: string | null
  symbol: string | null
  icon: { url: string } | null
  flags?: { is_spam: boolean }
  /** The CAIP-10 id of the contract. Missing for the native currency, and on older servers. */
  address?: string
}

/** A picture of an NFT. */
export type HistoryPicture = { url: string; content_type: string | null }

/** A transferred NFT. */
export type HistoryNft = {
  name: string | null
  content: { preview: HistoryPicture | null; detail: HistoryPicture | null } | null
  flags: { is_spam: boolean }
  /** The CAIP-10 id of the contract. Missing on older servers. */
  address?: string
}

/** One transfer of a transaction, from the account's perspective. */
export type HistoryTransfer = {
  fungible_info: HistoryFungible | null
  nft_info: HistoryNft | null
  direction: 'in' | 'out' | 'self'
  /** The address of the other side: the recipient of an outgoing transfer, the sender of an incoming one. */
  counterparty?: string
  /** Decimal text in whole tokens. */
  quantity: { numeric: string }
  /** In the requested currency, at the price of the day of the transaction (UTC). `null` if unknown. */
  value: number | null
  /** The price of one whole unit on that day. */
  price: number | null
}

/** The type of a transaction, from the account's perspective. */
export type OperationType =
  | 'approve'
  | 'borrow'
  | 'burn'
  | 'claim'
  | 'deploy'
  | 'deposit'
  | 'execute'
  | 'mint'
  | 'receive'
  | 'repay'
  | 'send'
  | 'stake'
  | 'trade'
  | 'unstake'
  | 'withdraw'

/** A transaction in an account's history. The wire format mixes naming styles. */
export type HistoryItem = {
  id: string
  metadata: {
    operationType: OperationType
    hash: string
    /** RFC 3339. */
    minedAt: string
    sentFrom: string
    sentTo: string
    status: 'confirmed' | 'failed' | 'pending'
    nonce: number
    application: { name: string | null; iconUrl: string | null } | null
    chain: ChainId | null
  }
  transfers: readonly HistoryTransfer[]
}

/**
 * The first block of a chain that the server indexed. Earlier transactions are missing in histories. `minedAt` is an RFC
 * 3339 time, or `null` until that block is indexed.
 */
export type IndexedSince = { chain: ChainId; block: number; minedAt: string | null }

/**
 * A page of a history, newest first. `next` is `null` on the last page. Without `indexedSince` the history is as complete
 * as its source.
 */
export type HistoryPage = {
  data: readonly HistoryItem[]
  next: string | null
  indexedSince?: readonly IndexedSince[]
}
