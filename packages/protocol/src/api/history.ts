import type { ChainId } from '../caip.ts'

/** A token that moved: names may be missing, for many contracts have none. */
export type HistoryFungible = { name: string | null; symbol: string | null; icon: { url: string } | null }

/** A picture of an NFT. */
export type HistoryPicture = { url: string; content_type: string | null }

/** An NFT that moved. */
export type HistoryNft = {
  name: string | null
  content: { preview: HistoryPicture | null; detail: HistoryPicture | null } | null
  flags: { is_spam: boolean }
}

/** One movement of a transaction, as the account sees it. */
export type HistoryTransfer = {
  fungible_info: HistoryFungible | null
  nft_info: HistoryNft | null
  direction: 'in' | 'out' | 'self'
  /** A decimal text, divided by the token's decimals already. */
  quantity: { numeric: string }
  /** In the currency that was asked for; null when unknown. */
  value: number | null
  price: number | null
}

/** What a transaction did, as the account sees it. */
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

/** A transaction in the history of an account. Mixed spelling is the wire's. */
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

/** A page of a history, newest first; `next` is null at the end. */
export type HistoryPage = { data: readonly HistoryItem[]; next: string | null }
