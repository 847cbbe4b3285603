import type { Storage } from '@latchkey/core'

/**
 * A storage that never throws: what cannot be kept, because the storage is full or denied, is remembered
 * until the page goes away.
 */
export function lenientStorage(kept: Storage): Storage {
  const memory = new Map<string, string>()
  const attempt = <result>(action: () => result): result | undefined => {
    try {
      return action()
    } catch {
      return undefined
    }
  }
  return {
    getItem: (key) => memory.get(key) ?? attempt(() => kept.getItem(key)),
    setItem(key, value) {
      memory.set(key, value)
      attempt(() => {
        kept.setItem(key, value)
        memory.delete(key)
      })
    },
    removeItem(key) {
      memory.delete(key)
      attempt(() => kept.removeItem(key))
    },
    subscribe: (listener) => attempt(() => kept.subscribe?.(listener)) ?? (() => {}),
  }
}
