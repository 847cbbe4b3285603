import type { ChainId } from '../caip/accountId.ts'

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
  /** The server's URL of its picture. `null` if it has none. */
  picture: { url: string; contentType: string | null } | null
  /** The number of held copies. `1` for ERC-721. */
  quantity: string
  /** True if the NFT was unsolicited and looks like spam. Hidden by default. */
  isSpam: boolean
}

/** A page of `GET /v1/account/{address}/nfts`. `next` is `null` on the last page. */
export type NftPage = { data: readonly HeldNft[]; next: string | null }
