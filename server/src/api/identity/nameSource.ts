/** The name and avatar of an address. */
export type Identity = {
  name: string | null
  /** As its owner set it: a web URL, a data URI, or an NFT (ENSIP-12). */
  avatar: string | null
}

/** A source of names: ENS, or our own names. */
export type NameSource = {
  /** @throws any error if the source is not available */
  identity(address: string): Promise<Identity | undefined>
}
