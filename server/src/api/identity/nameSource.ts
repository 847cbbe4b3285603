/** The name and avatar of an address. */
export type Identity = {
  name: string | null
  /** As its owner set it: a web URL, a data URI, or an NFT (ENSIP-12). */
  avatar: string | null
}

/** An identity of an address. With a chain id (CAIP-2), it is only the identity of the account on that chain. */
export type ScopedIdentity = Identity & { chainId?: string }

/** A source of names: ENS, or our own names. */
export type NameSource = {
  /**
   * Lists the identities of an address, the preferred one first.
   *
   * @throws any error if the source is not available
   */
  listIdentities(address: string): Promise<readonly ScopedIdentity[]>
}
