import type { Hex } from '../block.ts'
import type { Writer } from '../history/historyStore.ts'
import type { AddressStore } from './createAddressStore.ts'

/** The followed addresses of a chain, in the memory of the process that indexes it. */
export type FollowedAddresses = {
  readonly all: ReadonlySet<Hex>
  /**
   * Loads the addresses of a new term, and adds those that were requested since.
   *
   * @returns true if there are other addresses than before
   */
  refresh(writer: Writer): Promise<boolean>
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
      const isNewTerm = loadedTerm !== writer.term
      if (isNewTerm) {
        all.clear()
        for (const address of await store.listFollowed(writer.chain)) all.add(address)
        loadedTerm = writer.term
      }
      const admitted = await store.admit(writer, first)
      for (const address of admitted) all.add(address)
      return isNewTerm || admitted.length > 0
    },
    remove(addresses) {
      for (const address of addresses) all.delete(address)
    },
  }
}
