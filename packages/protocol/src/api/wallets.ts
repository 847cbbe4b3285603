/** One entry of the wallet list. */
export type WalletListEntry = {
  id: string
  name: string
  /** The picture's id for `/getWalletImage/{image_id}`. */
  image_id: string
  /** Reverse-DNS name that the extension announces (EIP-6963). */
  rdns?: string
  /** CAIP-2 ids of the networks that the wallet supports. */
  chains: readonly string[]
  mobile_link?: string
  desktop_link?: string
  webapp_link?: string
  homepage?: string
  /** A universal link: a web address that opens the wallet's app if it is installed. */
  link_mode?: string
  /** Download pages by platform. */
  chrome_store?: string
  app_store?: string
  play_store?: string
  /** The picture's URL, for custom wallets of an app. */
  image_url?: string
}

/** The query of `GET /getWallets`. Lists are comma-separated on the wire. */
export type WalletListQuery = {
  /** Starts at 1. */
  page?: number
  entries?: number
  search?: string
  /** The reverse-DNS name of a wallet, such as `io.metamask`. */
  rdns?: string
  include?: readonly string[]
  exclude?: readonly string[]
  chains?: readonly string[]
}

/** The response of `GET /getWallets`: one page, and the total count of all pages. */
export type WalletListPage = { data: readonly WalletListEntry[]; count: number }
