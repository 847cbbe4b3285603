import { expect, test } from 'vitest'
import { collectEntries } from './collectEntries.ts'

/** Delivers messages of a consumer that has `last` of them. */
async function* deliver(last: number, ...places: readonly number[]) {
  for (const place of places) yield { place, pending: last - place, entry: `message ${place}` }
}

test('the messages of a consumer are collected in their order, up to the limit [R-02]', async () => {
  const all = { entries: ['message 1', 'message 2', 'message 3'], isComplete: true }
  expect(await collectEntries(deliver(3, 1, 2, 3), 10)).toEqual(all)
  expect(await collectEntries(deliver(3, 1, 2, 3), 2)).toEqual({ entries: all.entries.slice(0, 2), isComplete: true })
})

test('a message that was lost before another one is noticed [R-02]', async () => {
  await expect(collectEntries(deliver(3, 1, 3), 10)).rejects.toThrow('did not deliver a message')
  await expect(collectEntries(deliver(3, 2, 3), 10)).rejects.toThrow('did not deliver a message')
})

test('a delivery that ends before the last message is not complete [R-02]', async () => {
  expect(await collectEntries(deliver(3, 1), 10)).toEqual({ entries: ['message 1'], isComplete: false })
  expect(await collectEntries(deliver(3), 10)).toEqual({ entries: [], isComplete: false })
})
