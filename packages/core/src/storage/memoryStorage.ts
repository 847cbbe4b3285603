import type { Storage } from './storage.ts'

/**
 * Keeps values as long as the instance lives: the default on a server.
 *
 * @example createLatchkey({ adapters, storage: memoryStorage() })
 */
export function memoryStorage(): Storage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key),
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}
