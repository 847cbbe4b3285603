import { expect, test } from 'vitest'
import { BatchFullError, createBatch } from './batch.ts'

const wide = { group: 100, queue: 1_000 }

test('a batch runs the items of one turn in one call, in order', async () => {
  const groups: (readonly number[])[] = []
  const batch = createBatch<number, number>(async (items) => {
    groups.push(items)
    return items.map((item) => item * 2)
  }, wide)
  await expect(Promise.all([1, 2, 3].map(batch.add))).resolves.toEqual([2, 4, 6])
  expect(groups).toEqual([[1, 2, 3]])
})

test('a group that starts at once has the items that were added together, and does not wait for the turn to end', async () => {
  const groups: (readonly number[])[] = []
  const run = async (items: readonly number[]): Promise<readonly number[]> => {
    groups.push(items)
    return items
  }
  const batch = createBatch(run, { group: 10, queue: 10, startsAtOnce: true })
  let isTurnOver = false
  setImmediate(() => (isTurnOver = true))
  expect(await Promise.all([1, 2, 3].map((item) => batch.add(item)))).toEqual([1, 2, 3])
  expect([groups, isTurnOver]).toEqual([[[1, 2, 3]], false])
})

test('a batch collects the next group while one runs, and never runs two at once', async () => {
  const groups: (readonly string[])[] = []
  const gate = createDeferred()
  let running = 0
  const batch = createBatch<string, string>(async (items) => {
    running += 1
    expect(running).toBe(1)
    groups.push(items)
    await gate.promise
    running -= 1
    return items
  }, wide)
  const first = batch.add('a')
  await new Promise(setImmediate)
  const rest = ['b', 'c'].map(batch.add)
  gate.resolve()
  await Promise.all([first, ...rest])
  expect(groups).toEqual([['a'], ['b', 'c']])
})

test('a batch splits groups at their bytes, and runs an item that is larger alone', async () => {
  const groups: (readonly number[])[] = []
  const batch = createBatch<number, number>(
    async (items) => {
      groups.push(items)
      return items
    },
    { ...wide, bytes: { group: 10, queue: 1_000, of: (item) => item } },
  )
  await Promise.all([4, 4, 4, 50, 1, 2].map(batch.add))
  expect(groups).toEqual([[4, 4], [4], [50], [1, 2]])
})

test('a batch refuses items beyond the bytes of its queue until a group is done', async () => {
  const gate = createDeferred()
  const batch = createBatch<number, number>(
    async (items) => {
      await gate.promise
      return items
    },
    { ...wide, bytes: { group: 100, queue: 100, of: (item) => item } },
  )
  const first = batch.add(80)
  await new Promise(setImmediate)
  await expect(batch.add(21)).rejects.toThrow(BatchFullError)
  const second = batch.add(20)
  gate.resolve()
  await Promise.all([first, second])
  await batch.idle()
  await expect(batch.add(100)).resolves.toBe(100)
})

test('a batch splits groups at their limit', async () => {
  const sizes: number[] = []
  const batch = createBatch<number, number>(
    async (items) => {
      sizes.push(items.length)
      return items
    },
    { group: 2, queue: 10 },
  )
  await Promise.all([1, 2, 3, 4, 5].map(batch.add))
  expect(sizes).toEqual([2, 2, 1])
})

test('a batch rejects items when its queue is full', async () => {
  const batch = createBatch<number, number>(async (items) => items, { group: 1, queue: 2 })
  const [first, second, third] = await Promise.allSettled([1, 2, 3].map(batch.add))
  expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled'])
  expect(third).toMatchObject({ status: 'rejected', reason: expect.any(BatchFullError) })
})

test('a batch rejects an item with its own error, a group with the group’s error, and continues', async () => {
  const batch = createBatch<string, string>(async (items) => {
    if (items.includes('all')) throw new Error('group')
    return items.map((item) => (item === 'bad' ? new Error('own') : item))
  }, wide)
  const own = await Promise.allSettled(['good', 'bad'].map(batch.add))
  expect(own).toMatchObject([{ value: 'good' }, { reason: { message: 'own' } }])
  const both = await Promise.allSettled(['good', 'all'].map(batch.add))
  expect(both).toMatchObject([{ reason: { message: 'group' } }, { reason: { message: 'group' } }])
  await expect(batch.add('later')).resolves.toBe('later')
})

test('a batch is idle when all added items have run', async () => {
  const done: number[] = []
  const batch = createBatch<number, number>(async (items) => {
    await new Promise(setImmediate)
    done.push(...items)
    return items
  }, wide)
  void batch.add(1)
  void batch.add(2)
  await batch.idle()
  expect(done).toEqual([1, 2])
})

function createDeferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

test('a batch collects fast items of many callers into few groups', async () => {
  const sizes: number[] = []
  const batch = createBatch<number, number>(
    async (items) => {
      sizes.push(items.length)
      return items
    },
    { ...wide, gather: 5 },
  )
  const all: Promise<number>[] = []
  for (let item = 0; item < 500; item += 1) {
    all.push(batch.add(item))
    await new Promise(setImmediate)
  }
  await Promise.all(all)
  expect(sizes.length).toBeLessThan(250)
})

test('a batch stops delaying a caller that adds items one after the other', async () => {
  const batch = createBatch<number, number>(async (items) => items, { ...wide, gather: 100 })
  let waits = 0
  for (let item = 0; item < 300; item += 1) {
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await batch.add(item)
    isDone = true
    if (turns > 20) waits += 1
  }
  expect(waits).toBeLessThan(12)
})
