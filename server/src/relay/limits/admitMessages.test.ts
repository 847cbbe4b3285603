import { expect, test } from 'vitest'
import { admitMessages, type QuotaMessage, type StoredUsage } from './admitMessages.ts'

const limits = { messages: 2, bytes: 10, bytesPerPublisher: 15 }
const nothing: StoredUsage = { topics: new Map(), publishers: new Map() }
const createQuotaMessage = (topic: string, bytes = 1, publisher = 'dapp'): QuotaMessage => ({ topic, publisher, bytes })

test('the quota admits messages in order up to the limit of their topic [R-17]', () => {
  const messages = [createQuotaMessage('a'), createQuotaMessage('a'), createQuotaMessage('b'), createQuotaMessage('a')]
  expect(admitMessages(messages, nothing, limits)).toEqual(['admitted', 'admitted', 'admitted', 'topic full'])
})

test('the quota rejects a message over the byte limit and admits a smaller one afterwards [R-17]', () => {
  expect(
    admitMessages(
      [createQuotaMessage('a', 8), createQuotaMessage('a', 3), createQuotaMessage('a', 2)],
      nothing,
      limits,
    ),
  ).toEqual(['admitted', 'topic full', 'admitted'])
})

test('the quota counts what is stored [R-17]', () => {
  const stored = {
    topics: new Map([['a', { messages: 1, bytes: 1, expiresAt: 9 }]]),
    publishers: new Map([['dapp', { messages: 3, bytes: 13, expiresAt: 9 }]]),
  }
  expect(
    admitMessages(
      [createQuotaMessage('a'), createQuotaMessage('a'), createQuotaMessage('b'), createQuotaMessage('c')],
      stored,
      limits,
    ),
  ).toEqual(['admitted', 'topic full', 'admitted', 'publisher full'])
})

test('a message that is refused for its publisher leaves room on its topic [R-17]', () => {
  const messages = [
    createQuotaMessage('a', 10),
    createQuotaMessage('b', 6),
    createQuotaMessage('b', 1, 'other'),
    createQuotaMessage('b', 4, 'other'),
  ]
  expect(admitMessages(messages, nothing, limits)).toEqual(['admitted', 'publisher full', 'admitted', 'admitted'])
})

test('the limit per publisher does not apply to the exempt one', () => {
  const messages = [createQuotaMessage('a', 10, 'bridge'), createQuotaMessage('b', 10, 'bridge')]
  expect(admitMessages(messages, nothing, limits, 'bridge')).toEqual(['admitted', 'admitted'])
})
