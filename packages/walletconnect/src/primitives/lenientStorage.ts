import type { Storage } from '@latchkey/core'

/** Wraps a storage so that it never throws. If the storage is full or denied, values stay in memory until the page closes. */
export function lenientStorage(storage: Storage): Storage {
  const memory = new Map<string, string>()
  const attempt = <result>(action: () => result): result | undefined => {
    try {
      return action()
    } catch {
      return undefined
    }
  }
  return {
    getItem: (key) => memory.get(key) ?? attempt(() => storage.getItem(key)),
    setItem(key, value) {
      memory.set(key, value)
      attempt(() => {
        storage.setItem(key, value)
        memory.delete(key)
      })
    },
    removeItem(key) {
      memory.delete(key)
      attempt(() => storage.removeItem(key))
    },
    subscribe: (listener) => attempt(() => storage.subscribe?.(listener)) ?? (() => {}),
  }
}
