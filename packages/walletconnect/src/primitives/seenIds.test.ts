import { expect, test } from 'vitest'
import { createSeenIds } from './seenIds.ts'

test('an id is new once', () => {
  const seen = createSeenIds(3)
  expect(['a', 'b', 'a', 'b'].map(seen.checkAndAdd)).toEqual([false, false, true, true])
})

test('the oldest id is forgotten when there are more than the limit', () => {
  const seen = createSeenIds(3)
  for (const id of ['a', 'b', 'c']) seen.checkAndAdd(id)
  expect(['a', 'b', 'c'].map(seen.checkAndAdd)).toEqual([true, true, true])
  expect(seen.checkAndAdd('d')).toBe(false)
  expect(['b', 'c', 'd'].map(seen.checkAndAdd)).toEqual([true, true, true])
  expect(seen.checkAndAdd('a')).toBe(false)
})
