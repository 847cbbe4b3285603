import { memoryStorage } from './memoryStorage.ts'
import type { Storage } from './storage.ts'

/**
 * Keeps values in the page's localStorage. The default in a browser. If the browser blocks it, reads return nothing and
 * writes throw, so that the user can be notified. On a server it is a `memoryStorage()`.
 *
 * @example createLatchkey({ adapters, storage: pageStorage() })
 */
export function pageStorage(): Storage {
  if (typeof window === 'undefined') return memoryStorage()
  return {
    // Reading the property throws if the browser blocks storage, so it is read for each access.
    getItem: (key) => window.localStorage.getItem(key) ?? undefined,
    setItem: (key, value) => window.localStorage.setItem(key, value),
    removeItem: (key) => window.localStorage.removeItem(key),
    subscribe(listener) {
      const onStorage = (event: StorageEvent): void => {
        if (event.key !== null) listener(event.key, event.newValue ?? undefined)
      }
      window.addEventListener('storage', onStorage)
      return () => window.removeEventListener('storage', onStorage)
    },
  }
}
