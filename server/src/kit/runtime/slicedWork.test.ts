import { expect, test } from 'vitest'
import { createSlicedWork } from './slicedWork.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('many items are worked on in slices, in their order, and others have their turns in between', async () => {
  const done: number[] = []
  const work = createSlicedWork((item: number) => done.push(item), 10)
  for (let item = 0; item < 25; item++) work.add(item)
  expect(done).toEqual([])
  const lengths: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn()
    lengths.push(done.length)
    if (turn === 0) work.add(25)
  }
  expect(lengths).toEqual([10, 20, 26])
  expect(done).toEqual(Array.from({ length: 26 }, (_, index) => index))
})

test('finish() works on all items at once, and items that are added later have their turn', async () => {
  const done: string[] = []
  const work = createSlicedWork((item: string) => done.push(item), 1)
  for (const item of ['a', 'b', 'c']) work.add(item)
  work.finish()
  expect(done).toEqual(['a', 'b', 'c'])
  work.add('d')
  await nextTurn()
  await nextTurn()
  expect(done).toEqual(['a', 'b', 'c', 'd'])
})
