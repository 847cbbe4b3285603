import type { Hex } from '../block.ts'
import type { Writer } from '../history/historyStore.ts'
import type { AddressStore } from './createAddressStore.ts'

/** The followed addresses of a chain, in the memory of the process that indexes it. */
export type FollowedAddresses = {
  readonly all: ReadonlySet<Hex>
  /** Loads the addresses of a new term, and adds those that were requested since. */
  refresh(writer: Writer): Promise<void>
  remove(addresses: readonly Hex[]): void
}

/**
 * Creates the set.
 *
 * @param first the oldest block whose transactions are indexed
 */
export function createFollowedAddresses(store: AddressStore, first: number): FollowedAddresses {
  const all = new Set<Hex>()
  let loadedTerm: number | undefined
  return {
    all,
    async refresh(writer) {
      if (loadedTerm !== writer.term) {
        all.clear()
        for (const address of await store.listFollowed(writer.chain)) all.add(address)
        loadedTerm = writer.term
      }
      for (const address of await store.admit(writer, first)) all.add(address)
    },
    remove(addresses) {
      for (const address of addresses) all.delete(address)
    },
  }
}
