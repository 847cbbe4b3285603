import { expect, test } from 'vitest'
import { createUsageLimit, type Usage } from './usageLimit.ts'

const turn = (): Promise<void> => new Promise(setImmediate)

/** A store whose counts a test sets, and that remembers what it was asked. */
function createStore(): {
  counts: Map<string, Usage>
  asked: string[][]
  measure(keys: readonly string[]): Promise<Map<string, Usage>>
} {
  const counts = new Map<string, Usage>()
  const asked: string[][] = []
  return {
    counts,
    asked,
    measure: async (keys) => {
      asked.push([...keys])
      return new Map(counts)
    },
  }
}

const one = (key: string, bytes = 1): { key: string; bytes: number } => ({ key, bytes })

test('admits exactly as many messages as there is room for, in their order', async () => {
  const { measure } = createStore()
  const limit = createUsageLimit({ most: { messages: 2, bytes: 100 }, measure })
  expect(await limit.admit([one('a'), one('a'), one('b'), one('a')])).toEqual([true, true, true, false])
})

test('admits what fits in bytes, and a smaller one after one that does not', async () => {
  const { measure } = createStore()
  const limit = createUsageLimit({ most: { messages: 9, bytes: 10 }, measure })
  expect(await limit.admit([one('a', 8), one('a', 3), one('a', 2)])).toEqual([true, false, true])
})

test('measures a key anew before it calls it full', async () => {
  const { measure, counts } = createStore()
  const limit = createUsageLimit({ most: { messages: 1, bytes: 100 }, measure })
  expect(await limit.admit([one('a')])).toEqual([true])
  expect(await limit.admit([one('a')])).toEqual([true])
  counts.set('a', { messages: 1, bytes: 1 })
  expect(await limit.admit([one('a')])).toEqual([false])
})

test('learns what waited before it was there', async () => {
  const { measure, counts } = createStore()
  counts.set('a', { messages: 5, bytes: 5 })
  const limit = createUsageLimit({ most: { messages: 5, bytes: 100 }, measure })
  expect(await limit.admit([one('a')])).toEqual([true])
  await turn()
  expect(await limit.admit([one('a')])).toEqual([false])
})

test('asks about a key once, not for each of its messages', async () => {
  const { measure, asked } = createStore()
  const limit = createUsageLimit({ most: { messages: 100, bytes: 1_000 }, measure })
  for (let round = 0; round < 10; round += 1) await limit.admit([one('a'), one('b')])
  expect(asked).toEqual([['a', 'b']])
})

test('refuses nobody because the store cannot be asked about a new key', async () => {
  const limit = createUsageLimit({
    most: { messages: 1, bytes: 100 },
    measure: () => Promise.reject(new Error('no database')),
  })
  expect(await limit.admit([one('a')])).toEqual([true])
  await turn()
})

test('believes a full key for a while where measuring costs much', async () => {
  let now = 0
  const { measure, counts, asked } = createStore()
  const sparing = { milliseconds: 1_000, clock: { now: () => now } }
  const limit = createUsageLimit({ most: { messages: 1, bytes: 100 }, measure, sparing })
  expect(await limit.admit([one('a')])).toEqual([true])
  expect(asked).toEqual([])
  counts.set('a', { messages: 1, bytes: 1 })
  expect(await limit.admit([one('a')])).toEqual([false])
  counts.clear()
  expect(await limit.admit([one('a')])).toEqual([false])
  expect(asked).toEqual([['a']])
  now += 1_000
  expect(await limit.admit([one('a')])).toEqual([true])
})
