import type { Storage } from './storage.ts'

/**
 * Keeps values in memory for the lifetime of the instance. The default on a server.
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
