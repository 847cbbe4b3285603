/** What an address is called, and shows as its picture. */
export type Identity = { name: string | null; avatar: string | null }

/** Where names of addresses come from: ENS, or names of our own. The first that knows one is believed. */
export type NameSource = {
  /** @throws anything when it cannot tell now. */
  identity(address: string): Promise<Identity | undefined>
}
