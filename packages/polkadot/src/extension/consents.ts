import { pageStorage, type Storage } from '@latchkey/core'

const storageKey = '@latchkey/polkadot/extensions'

/** The extensions that the user connected on this site. Restoring any other one would show a request. */
export type Consents = { has(id: string): boolean; add(id: string): void; remove(id: string): void }

/** Keeps consents in a storage. If the browser forbids the storage, consents end with the page. */
export function createConsents(storage: Storage = pageStorage()): Consents {
  const load = (): readonly string[] => {
    try {
      const ids: unknown = JSON.parse(storage.getItem(storageKey) ?? '[]')
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
    } catch {
      return []
    }
  }
  const save = (ids: readonly string[]): void => {
    try {
      storage.setItem(storageKey, JSON.stringify(ids))
    } catch {
      // The user has to connect again after a reload.
    }
  }
  return {
    has: (id) => load().includes(id),
    add: (id) => save([...new Set([...load(), id])]),
    remove: (id) => save(load().filter((each) => each !== id)),
  }
}
