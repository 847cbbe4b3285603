import type { Storage } from '@latchkey/core'
import { tryParseJson } from './unknownRecord.ts'

/** A list in a storage. It is read each time, because other tabs write it too. */
export type StoredList<item> = {
  /** Ignores entries that are not valid. */
  read(): readonly item[]
  /** Like `read`, but returns the same objects until the storage changes. They must not leave the client. */
  peek(): readonly item[]
  /** Writes nothing if the list is empty and was empty before. */
  write(items: readonly item[]): void
}

/** Creates a list that is stored under `key`. */
export function createStoredList<item>(
  storage: Storage,
  key: string,
  isValid: (value: unknown) => value is item,
): StoredList<item> {
  let last: { text: string; items: readonly item[] } = { text: '[]', items: [] }
  const parse = (text: string): readonly item[] => {
    const stored = tryParseJson(text)
    return Array.isArray(stored) ? stored.filter(isValid) : []
  }
  return {
    read: () => parse(storage.getItem(key) ?? '[]'),
    peek() {
      const text = storage.getItem(key) ?? '[]'
      if (text !== last.text) last = { text, items: parse(text) }
      return last.items
    },
    write(items) {
      if (items.length === 0 && storage.getItem(key) === undefined) return
      last = { text: JSON.stringify(items), items }
      storage.setItem(key, last.text)
    },
  }
}
