import { memoryStorage } from './memoryStorage.ts'
import type { Storage } from './storage.ts'

/**
 * Keeps values in the page's localStorage: the default in a browser. Where the browser denies that, reading finds
 * nothing and writing throws, so that the visitor can be told. On a server it is a `memoryStorage()`.
 *
 * @example createLatchkey({ adapters, storage: pageStorage() })
 */
export function pageStorage(): Storage {
  if (typeof window === 'undefined') return memoryStorage()
  return {
    // Merely reading the property throws where a browser blocks storage, so it is read anew each time.
    getItem: (key) => window.localStorage.getItem(key) ?? undefined,
    setItem: (key, value) => window.localStorage.setItem(key, value),
    removeItem: (key) => window.localStorage.removeItem(key),
    subscribe(listener) {
      const heard = (event: StorageEvent): void => {
        if (event.key !== null) listener(event.key, event.newValue ?? undefined)
      }
      window.addEventListener('storage', heard)
      return () => window.removeEventListener('storage', heard)
    },
  }
}
