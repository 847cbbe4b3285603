import { expect, test } from 'vitest'
import { createStorageQuota, type Usage } from './storageQuota.ts'

const turn = (): Promise<void> => new Promise(setImmediate)

/** A store with counts that a test sets. It records its queries. */
function createStore(): {
  counts: Map<string, Usage>
  queries: string[][]
  measure(keys: readonly string[]): Promise<Map<string, Usage>>
} {
  const counts = new Map<string, Usage>()
  const requests: string[][] = []
  return {
    counts,
    queries: requests,
    measure: async (keys) => {
      requests.push([...keys])
      return new Map(counts)
    },
  }
}

const one = (key: string, bytes = 1): { key: string; bytes: number } => ({ key, bytes })

test('the quota admits messages in order up to its limit', async () => {
  const { measure } = createStore()
  const limit = createStorageQuota({ limit: { messages: 2, bytes: 100 }, measure })
  expect(await limit.reserve([one('a'), one('a'), one('b'), one('a')])).toEqual([true, true, true, false])
})

test('the quota rejects a message over its byte limit and admits a smaller one afterwards', async () => {
  const { measure } = createStore()
  const limit = createStorageQuota({ limit: { messages: 9, bytes: 10 }, measure })
  expect(await limit.reserve([one('a', 8), one('a', 3), one('a', 2)])).toEqual([true, false, true])
})

test('the quota measures a key again before it reports it full', async () => {
  const { measure, counts } = createStore()
  const limit = createStorageQuota({ limit: { messages: 1, bytes: 100 }, measure })
  expect(await limit.reserve([one('a')])).toEqual([true])
  expect(await limit.reserve([one('a')])).toEqual([true])
  counts.set('a', { messages: 1, bytes: 1 })
  expect(await limit.reserve([one('a')])).toEqual([false])
})

test('the quota counts messages stored before it was created', async () => {
  const { measure, counts } = createStore()
  counts.set('a', { messages: 5, bytes: 5 })
  const limit = createStorageQuota({ limit: { messages: 5, bytes: 100 }, measure })
  expect(await limit.reserve([one('a')])).toEqual([true])
  await turn()
  expect(await limit.reserve([one('a')])).toEqual([false])
})

test('the quota measures a key once, not for each message', async () => {
  const { measure, queries } = createStore()
  const limit = createStorageQuota({ limit: { messages: 100, bytes: 1_000 }, measure })
  for (let round = 0; round < 10; round += 1) await limit.reserve([one('a'), one('b')])
  expect(queries).toEqual([['a', 'b']])
})

test('the quota admits a message for a new key when measuring fails', async () => {
  const limit = createStorageQuota({
    limit: { messages: 1, bytes: 100 },
    measure: () => Promise.reject(new Error('no database')),
  })
  expect(await limit.reserve([one('a')])).toEqual([true])
  await turn()
})

test('the quota reports a full key without measuring it again until the remeasure interval has passed', async () => {
  let now = 0
  const { measure, counts, queries } = createStore()
  const sparing = { milliseconds: 1_000, clock: { now: () => now } }
  const limit = createStorageQuota({ limit: { messages: 1, bytes: 100 }, measure, remeasure: sparing })
  expect(await limit.reserve([one('a')])).toEqual([true])
  expect(queries).toEqual([])
  counts.set('a', { messages: 1, bytes: 1 })
  expect(await limit.reserve([one('a')])).toEqual([false])
  counts.clear()
  expect(await limit.reserve([one('a')])).toEqual([false])
  expect(queries).toEqual([['a']])
  now += 1_000
  expect(await limit.reserve([one('a')])).toEqual([true])
})
