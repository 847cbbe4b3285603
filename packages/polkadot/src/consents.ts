import { pageStorage, type Storage } from '@latchkey/core'

const storageKey = '@latchkey/polkadot/extensions'

/** Which extensions the visitor connected here. Asking one that he did not would make it ask him. */
export type Consents = { has(id: string): boolean; add(id: string): void; remove(id: string): void }

/** Keeps consents in a storage; a storage that is forbidden forgets them with the page. */
export function consentsIn(storage: Storage = pageStorage()): Consents {
  const read = (): readonly string[] => {
    try {
      const ids: unknown = JSON.parse(storage.getItem(storageKey) ?? '[]')
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
    } catch {
      return []
    }
  }
  const write = (ids: readonly string[]): void => {
    try {
      storage.setItem(storageKey, JSON.stringify(ids))
    } catch {
      // It is asked again after a reload.
    }
  }
  return {
    has: (id) => read().includes(id),
    add: (id) => write([...new Set([...read(), id])]),
    remove: (id) => write(read().filter((each) => each !== id)),
  }
}
