/** One entry of the wallet list. */
export type WalletListEntry = {
  id: string
  name: string
  /** Names the picture at `/getWalletImage/{image_id}`. */
  image_id: string
  /** Reverse-DNS name that the extension announces (EIP-6963). */
  rdns?: string
  /** CAIP-2 ids of the networks that the wallet supports. */
  chains: readonly string[]
  mobile_link?: string
  desktop_link?: string
  webapp_link?: string
  homepage?: string
  /** A web address that opens the wallet's app where it is installed: a universal link. */
  link_mode?: string
  /** Where the wallet can be got, by kind of device. */
  chrome_store?: string
  app_store?: string
  play_store?: string
  /** The picture itself, for wallets that an app brings along. */
  image_url?: string
}

/** What `GET /getWallets` is asked. Lists are comma-separated on the wire. */
export type WalletListQuery = {
  /** Counts from 1. */
  page?: number
  entries?: number
  search?: string
  include?: readonly string[]
  exclude?: readonly string[]
  chains?: readonly string[]
}

/** What `GET /getWallets` answers: one page, and how many there are on all pages. */
export type WalletListPage = { data: readonly WalletListEntry[]; count: number }
