import { describe, expect, test } from 'vitest'
import type { Storage } from '../storage/storage.ts'

/** A storage under test, and what another tab does to it where there are other tabs. */
export type StorageWorld = {
  storage: Storage
  /** Required when the storage has `subscribe`. */
  otherTab?: Pick<Storage, 'setItem' | 'removeItem'>
}

const awkwardTexts = ['', ' ', 'a=b; path=/', '"quoted"', '{"a":[1,null]}', 'zwölf 🗝️\n\t', '%E0%A4%A', 'undefined']
const awkwardKeys = ['@latchkey/a', '@latchkey/a/b', '__proto__', 'constructor', '@latchkey/a=b;c', '@latchkey/é']

/**
 * What every Storage has to do.
 *
 * @param make makes an empty storage for each test
 * @example describeStorage('memoryStorage', () => ({ storage: memoryStorage() }))
 */
export function describeStorage(name: string, make: () => StorageWorld): void {
  describe(`${name} is a Storage`, () => {
    test('finds nothing where nothing was kept', () => {
      const { storage } = make()
      for (const key of awkwardKeys) expect(storage.getItem(key)).toBeUndefined()
    })

    test('gives back every text as it was kept', () => {
      const { storage } = make()
      for (const text of awkwardTexts) {
        storage.setItem('@latchkey/key', text)
        expect(storage.getItem('@latchkey/key')).toBe(text)
      }
    })

    test('keeps every key apart from the others', () => {
      const { storage } = make()
      for (const key of awkwardKeys) storage.setItem(key, `value of ${key}`)
      for (const key of awkwardKeys) expect(storage.getItem(key)).toBe(`value of ${key}`)
      storage.removeItem('@latchkey/a')
      expect(storage.getItem('@latchkey/a')).toBeUndefined()
      expect(storage.getItem('@latchkey/a/b')).toBe('value of @latchkey/a/b')
    })

    test('removes what is kept, and does not mind what is not', () => {
      const { storage } = make()
      storage.setItem('@latchkey/key', 'value')
      storage.removeItem('@latchkey/key')
      storage.removeItem('@latchkey/key')
      expect(storage.getItem('@latchkey/key')).toBeUndefined()
    })

    test('tells what other tabs write and remove, and nothing after it was told to stop', () => {
      const { storage, otherTab } = make()
      expect(storage.subscribe !== undefined).toBe(otherTab !== undefined)
      if (storage.subscribe === undefined || otherTab === undefined) return
      const heard: Array<[string, string | undefined]> = []
      const stop = storage.subscribe((key, value) => heard.push([key, value]))
      storage.setItem('@latchkey/own', 'not told')
      otherTab.setItem('@latchkey/key', 'value')
      otherTab.removeItem('@latchkey/key')
      stop()
      otherTab.setItem('@latchkey/key', 'too late')
      expect(heard).toEqual([
        ['@latchkey/key', 'value'],
        ['@latchkey/key', undefined],
      ])
    })
  })
}
