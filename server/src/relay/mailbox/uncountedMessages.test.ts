import { describe, expect, test } from 'vitest'
import type { StoredUsage } from '../limits/admitMessages.ts'
import { createUncountedMessages } from './uncountedMessages.ts'

const nothing: StoredUsage = { topics: new Map(), publishers: new Map() }
const message = (topic: string, publisher: string, bytes: number, expiresAt = 900) => ({
  topic,
  publisher,
  bytes,
  expiresAt,
})

/** Lists the usage that is added to empty counters for a topic and a publisher. */
function usageOf(uncounted: ReturnType<typeof createUncountedMessages>, topic: string, publisher: string) {
  const { topics, publishers } = uncounted.addTo(nothing, [{ topic, publisher }])
  return [topics.get(topic), publishers.get(publisher)]
}

describe('uncounted messages', () => {
  test('are added to the counters of the topics and publishers of a group, and to no others', () => {
    const uncounted = createUncountedMessages()
    uncounted.add(1, message('a', 'dapp', 10, 500))
    uncounted.add(2, message('a', 'wallet', 20, 400))
    uncounted.add(3, message('b', 'other', 5))
    const stored: StoredUsage = {
      topics: new Map([['a', { messages: 7, bytes: 70, expiresAt: 450 }]]),
      publishers: new Map([['other', { messages: 1, bytes: 1, expiresAt: 9 }]]),
    }
    const usage = uncounted.addTo(stored, [
      { topic: 'a', publisher: 'dapp' },
      { topic: 'a', publisher: 'dapp' },
      { topic: 'c', publisher: 'another' },
    ])
    expect(usage).toEqual({
      topics: new Map([['a', { messages: 9, bytes: 100, expiresAt: 400 }]]),
      publishers: new Map([
        ['other', { messages: 1, bytes: 1, expiresAt: 9 }],
        ['dapp', { messages: 1, bytes: 10, expiresAt: 500 }],
      ]),
    })
    expect(stored.topics.get('a')).toEqual({ messages: 7, bytes: 70, expiresAt: 450 })
  })

  test('no longer count when they are removed, even twice', () => {
    const uncounted = createUncountedMessages()
    uncounted.add(1, message('a', 'dapp', 10))
    uncounted.add(2, message('a', 'wallet', 20))
    uncounted.remove(1)
    uncounted.remove(1)
    uncounted.remove(7)
    expect(usageOf(uncounted, 'a', 'dapp')).toEqual([{ messages: 1, bytes: 20, expiresAt: 900 }, undefined])
    uncounted.remove(2)
    expect(usageOf(uncounted, 'a', 'wallet')).toEqual([undefined, undefined])
  })

  test('no longer count up to the sequence that the counters contain', () => {
    const uncounted = createUncountedMessages()
    for (const sequence of [1, 2, 3]) uncounted.add(sequence, message('a', 'dapp', 10 ** sequence))
    uncounted.removeCounted(0)
    expect(usageOf(uncounted, 'a', 'dapp')[0]).toMatchObject({ messages: 3, bytes: 1_110 })
    uncounted.removeCounted(2)
    expect(usageOf(uncounted, 'a', 'dapp')[0]).toMatchObject({ messages: 1, bytes: 1_000 })
  })

  test('are bounded to the latest hundred thousand', () => {
    const uncounted = createUncountedMessages()
    uncounted.add(0, message('first', 'dapp', 1))
    for (let sequence = 1; sequence < 100_000; sequence += 1) uncounted.add(sequence, message('a', 'dapp', 1))
    expect(usageOf(uncounted, 'first', 'dapp')).toMatchObject([{ messages: 1 }, { messages: 100_000 }])
    uncounted.add(100_000, message('a', 'dapp', 1))
    expect(usageOf(uncounted, 'first', 'dapp')).toMatchObject([undefined, { messages: 100_000 }])
  })
})
