import { describe, expect, test } from 'vitest'
import type { Storage } from '../storage/storage.ts'

/** The storage under test, and the actions of another tab if it has other tabs. */
export type StorageWorld = {
  storage: Storage
  /** Required when the storage has `subscribe`. */
  otherTab?: Pick<Storage, 'setItem' | 'removeItem'>
}

const awkwardTexts = ['', ' ', 'a=b; path=/', '"quoted"', '{"a":[1,null]}', 'zwölf 🗝️\n\t', '%E0%A4%A', 'undefined']
const awkwardKeys = ['@latchkey/a', '@latchkey/a/b', '__proto__', 'constructor', '@latchkey/a=b;c', '@latchkey/é']

/**
 * The contract suite of storages.
 *
 * @param make creates an empty storage for each test
 * @example describeStorage('memoryStorage', () => ({ storage: memoryStorage() }))
 */
export function describeStorage(name: string, make: () => StorageWorld): void {
  describe(`${name} is a Storage`, () => {
    test('returns nothing for unknown keys', () => {
      const { storage } = make()
      for (const key of awkwardKeys) expect(storage.getItem(key)).toBeUndefined()
    })

    test('returns every string unchanged', () => {
      const { storage } = make()
      for (const text of awkwardTexts) {
        storage.setItem('@latchkey/key', text)
        expect(storage.getItem('@latchkey/key')).toBe(text)
      }
    })

    test('keeps keys separate', () => {
      const { storage } = make()
      for (const key of awkwardKeys) storage.setItem(key, `value of ${key}`)
      for (const key of awkwardKeys) expect(storage.getItem(key)).toBe(`value of ${key}`)
      storage.removeItem('@latchkey/a')
      expect(storage.getItem('@latchkey/a')).toBeUndefined()
      expect(storage.getItem('@latchkey/a/b')).toBe('value of @latchkey/a/b')
    })

    test('removes a value, and ignores a missing one', () => {
      const { storage } = make()
      storage.setItem('@latchkey/key', 'value')
      storage.removeItem('@latchkey/key')
      storage.removeItem('@latchkey/key')
      expect(storage.getItem('@latchkey/key')).toBeUndefined()
    })

    test('reports changes of other tabs until it is stopped', () => {
      const { storage, otherTab } = make()
      expect(storage.subscribe !== undefined).toBe(otherTab !== undefined)
      if (storage.subscribe === undefined || otherTab === undefined) return
      const events: Array<[string, string | undefined]> = []
      const stop = storage.subscribe((key, value) => events.push([key, value]))
      storage.setItem('@latchkey/own', 'not notified')
      otherTab.setItem('@latchkey/key', 'value')
      otherTab.removeItem('@latchkey/key')
      stop()
      otherTab.setItem('@latchkey/key', 'too late')
      expect(events).toEqual([
        ['@latchkey/key', 'value'],
        ['@latchkey/key', undefined],
      ])
    })
  })
}
