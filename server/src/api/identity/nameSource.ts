/** What an address is called, and shows as its picture. */
export type Identity = {
  name: string | null
  /** As its owner wrote it: an address of the web, a data URI, or an NFT as ENSIP-12 writes it. */
  avatar: string | null
}

/** Where names of addresses come from: ENS, or names of our own. The first that knows one is believed. */
export type NameSource = {
  /** @throws anything when it cannot tell now. */
  identity(address: string): Promise<Identity | undefined>
}
