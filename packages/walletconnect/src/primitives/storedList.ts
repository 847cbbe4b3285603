import type { Storage } from '@latchkey/core'
import { tryParseJson } from './unknownRecord.ts'

/** A list in a storage. It is read each time, because other tabs write it too. */
export type StoredList<item> = {
  /** Ignores entries that are not valid. */
  read(): readonly item[]
  /** Writes nothing if the list is empty and was empty before. */
  write(items: readonly item[]): void
}

/** Creates a list that is stored under `key`. */
export function createStoredList<item>(
  storage: Storage,
  key: string,
  isValid: (value: unknown) => value is item,
): StoredList<item> {
  return {
    read() {
      const stored = tryParseJson(storage.getItem(key) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isValid) : []
    },
    write(items) {
      if (items.length > 0 || storage.getItem(key) !== undefined) storage.setItem(key, JSON.stringify(items))
    },
  }
}
