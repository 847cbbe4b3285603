import { expect, test } from 'vitest'
import type { MessageHeader } from './messageHeader.ts'
import { addMessage, addReceipt, createTopicState, listUndelivered, type TopicState } from './topicState.ts'

const now = 1_700_000_000_000

const createHeader = (digest: string, publishedAt = now): MessageHeader => ({
  publishedAt,
  expiresAt: now + 300_000,
  bytes: 3,
  digest,
  publisher: 'dapp',
})

const listDigests = (state: TopicState): readonly string[] =>
  listUndelivered(state, { receiver: 'wallet', after: 0, now }).map(({ header }) => header.digest)

const createReceipt = (sequence: number, digest: string, publishedAt = now) => ({
  sequence,
  receiver: 'wallet',
  message: { digest, publishedAt },
})

test('a receipt counts for a message that is read later', () => {
  const state = createTopicState()
  expect(addReceipt(state, createReceipt(1, 'first'))).toBe(true)
  expect(addReceipt(state, createReceipt(1, 'first'))).toBe(false)
  addMessage(state, 1, createHeader('first'))
  expect(listDigests(state)).toEqual([])
  expect(state.undelivered).toEqual({ messages: 0, bytes: 0 })
})

test('a receipt does not count for a later message under the sequence of a lost one [R-02]', () => {
  const state = createTopicState()
  // The message was stored under the sequence 3, delivered and acknowledged. The new leader of the stream lacks it.
  addReceipt(state, createReceipt(3, 'lost'))
  addMessage(state, 3, createHeader('second'))
  expect(listDigests(state)).toEqual(['second'])
  expect(state.undelivered).toEqual({ messages: 1, bytes: 3 })
})

test('a receipt counts for its message under another sequence, before and after that is read [R-02]', () => {
  const state = createTopicState()
  addMessage(state, 2, createHeader('first'))
  addReceipt(state, createReceipt(3, 'first'))
  addReceipt(state, createReceipt(5, 'second'))
  addMessage(state, 4, createHeader('second'))
  addMessage(state, 5, createHeader('third'))
  expect(listDigests(state)).toEqual(['third'])
})

test('a receipt counts for the message of its time, not for the same text published again', () => {
  const state = createTopicState()
  addReceipt(state, createReceipt(3, 'first', now - 1_000))
  addMessage(state, 3, createHeader('first'))
  expect(listDigests(state)).toEqual(['first'])
})

test('a receipt of a forgotten message is ignored', () => {
  const state = createTopicState()
  addMessage(state, 5, createHeader('first'))
  expect(addReceipt(state, createReceipt(3, 'forgotten'))).toBe(false)
  expect(state.early.size).toBe(0)
})

test('a receipt of an earlier release counts for the message of its sequence', () => {
  const state = createTopicState()
  addReceipt(state, { sequence: 1, receiver: 'wallet' })
  addMessage(state, 1, createHeader('first'))
  addMessage(state, 2, createHeader('second'))
  addReceipt(state, { sequence: 2, receiver: 'wallet' })
  expect(listDigests(state)).toEqual([])
})
