import { expect, test } from 'vitest'
import { createAgedGroups } from './agedGroups.ts'

const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

/** Groups whose runs a test ends one by one. */
function createHeldGroups(limits: { group: number; concurrent: number }) {
  const runs: { items: readonly string[]; end(results?: readonly (string | undefined)[]): void }[] = []
  const groups = createAgedGroups<string, string>(
    (items) => new Promise((resolve) => runs.push({ items, end: (results = items) => resolve(results) })),
    limits,
  )
  return { ...groups, runs, groupsSoFar: () => runs.map(({ items }) => items.join(' ')) }
}

test('requests of one turn share a group', async () => {
  const { add, runs, groupsSoFar } = createHeldGroups({ group: 10, concurrent: 1 })
  const results = Promise.all([add('a', 1), add('b', 1)])
  await flushPromises()
  expect(groupsSoFar()).toEqual(['a b'])
  runs[0]?.end(['1', '2'])
  expect(await results).toEqual(['1', '2'])
})

test('the oldest requests run first, even if they are added later', async () => {
  const { add, runs, groupsSoFar } = createHeldGroups({ group: 2, concurrent: 1 })
  void add('first', 1)
  await flushPromises()
  for (const [item, since] of [
    ['new', 9],
    ['old', 2],
    ['newer', 10],
    ['older', 1],
  ] as const)
    void add(item, since)
  runs[0]?.end()
  await flushPromises()
  runs[1]?.end()
  await flushPromises()
  expect(groupsSoFar()).toEqual(['first', 'older old', 'new newer'])
})

test('no more groups run at the same time than allowed', async () => {
  const { add, runs, groupsSoFar } = createHeldGroups({ group: 1, concurrent: 2 })
  for (const item of ['a', 'b', 'c']) void add(item, 1)
  await flushPromises()
  expect(groupsSoFar()).toEqual(['a', 'b'])
  runs[0]?.end()
  await flushPromises()
  expect(groupsSoFar()).toEqual(['a', 'b', 'c'])
})

test('a request without a result runs again before newer ones', async () => {
  const { add, runs, groupsSoFar } = createHeldGroups({ group: 2, concurrent: 1 })
  const again = add('again', 1)
  void add('done', 1)
  void add('newer', 2)
  await flushPromises()
  runs[0]?.end([undefined, 'done'])
  await flushPromises()
  runs[1]?.end()
  expect(await again).toBe('again')
  expect(groupsSoFar()).toEqual(['again done', 'again newer'])
})

test('a failed group rejects its own requests only', async () => {
  let fails = true
  const { add } = createAgedGroups<string, string>(
    async (items) => {
      if (!fails) return items
      fails = false
      throw new Error('away')
    },
    { group: 1, concurrent: 1 },
  )
  const results = await Promise.allSettled([add('a', 1), add('b', 1)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
