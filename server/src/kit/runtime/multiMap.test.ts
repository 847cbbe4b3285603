import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMultiMap } from './multiMap.ts'

const objects = Array.from({ length: 4 }, (_, index) => ({ index }))

test('a multimap has the values of a map of sets, and says which is the first and the last of a key', () => {
  const change = fc.record({
    key: fc.constantFrom('a', 'b'),
    value: fc.constantFrom(...objects),
    isAdded: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const [map, model] = [createMultiMap<object>(), new Map<string, Set<object>>()]
      for (const { key, value, isAdded } of changes) {
        const expected = model.get(key) ?? new Set()
        const before = expected.size
        const hadValue = expected.has(value)
        if (isAdded) {
          expect(map.add(key, value)).toBe(before === 0)
          model.set(key, expected.add(value))
        } else {
          expected.delete(value)
          expect(map.remove(key, value)).toBe(hadValue && expected.size === 0)
          if (expected.size === 0) model.delete(key)
        }
        expect([...map.get(key)]).toEqual([...expected])
        expect([...map.keys()].toSorted()).toEqual([...model.keys()].toSorted())
      }
      map.clear()
      expect([...map.keys(), ...map.get('a')]).toEqual([])
    }),
  )
})
