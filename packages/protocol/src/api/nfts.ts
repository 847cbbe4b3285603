import type { ChainId } from '../caip.ts'

/** An NFT that an account holds. */
export type HeldNft = {
  /** CAIP-19: `eip155:1/erc721:0x…/1`. */
  id: string
  chainId: ChainId
  /** The contract's address. */
  contract: string
  tokenId: string
  name: string | null
  collection: { name: string | null; symbol: string | null }
  /** Where the server shows its picture; null where it has none. */
  picture: { url: string; contentType: string | null } | null
  /** How many of it; one for ERC-721. */
  quantity: string
  /** It came unasked and looks like a lure: shown only to who asks. */
  isSpam: boolean
}

/** A page of `GET /v1/account/{address}/nfts`; `next` is null at the end. */
export type NftPage = { data: readonly HeldNft[]; next: string | null }
