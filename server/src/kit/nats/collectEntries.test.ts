import { expect, test } from 'vitest'
import { collectEntries } from './collectEntries.ts'

async function* deliver(...places: readonly number[]) {
  for (const place of places) yield { place, entry: `message ${place}` }
}

test('the messages of a consumer are collected in their order [R-02]', async () => {
  expect(await collectEntries(deliver(1, 2, 3), 3)).toEqual(['message 1', 'message 2', 'message 3'])
  expect(await collectEntries(deliver(), 0)).toEqual([])
})

test('a message that was lost between others is noticed [R-02]', async () => {
  await expect(collectEntries(deliver(1, 3), 2)).rejects.toThrow('did not deliver a message')
})

test('messages that were lost before the first one, or after the last one, are noticed [R-02]', async () => {
  await expect(collectEntries(deliver(2, 3), 2)).rejects.toThrow('did not deliver a message')
  await expect(collectEntries(deliver(1, 2), 3)).rejects.toThrow('fewer messages than it has')
})
