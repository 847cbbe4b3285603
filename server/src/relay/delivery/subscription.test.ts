import { describe, expect, test } from 'vitest'
import { addSequence, createSentSequences, hasSequence, removeSequence } from './sentSequences.ts'
import { createSubscription, markLive, recordSent, type Subscription } from './subscription.ts'

const inOrder = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

const remembered = ({ sent }: Subscription, sequences: readonly number[]): readonly number[] =>
  sequences.filter((sequence) => sent !== undefined && hasSequence(sent, sequence))

const countRemembered = ({ sent }: Subscription): number =>
  sent === undefined ? 0 : sent.newer.length + sent.older.length

describe('a live subscription', () => {
  test('remembers at least the 64 sequences that it sent last, and at most 128', () => {
    const subscription = createSubscription('topic', 'client', undefined)
    markLive(subscription)
    for (const sequence of inOrder(1, 400)) {
      recordSent(subscription, sequence)
      const last = inOrder(Math.max(1, sequence - 63), sequence)
      expect(remembered(subscription, last)).toEqual(last)
      expect(countRemembered(subscription)).toBeLessThanOrEqual(128)
    }
  })

  test('remembers late sequences that are lower than all it remembers [R-16]', () => {
    const subscription = createSubscription('topic', 'client', undefined)
    markLive(subscription)
    for (const sequence of inOrder(1000, 1400)) recordSent(subscription, sequence)
    for (const sequence of inOrder(500, 540)) recordSent(subscription, sequence)
    expect(remembered(subscription, inOrder(500, 540))).toEqual(inOrder(500, 540))
  })

  test('remembers nothing before its first message', () => {
    expect(createSubscription('topic', 'client', undefined).sent).toBeUndefined()
  })
})

test('a subscription remembers all sequences while it catches up, and the last 128 afterwards', () => {
  const subscription = createSubscription('topic', 'client', undefined)
  subscription.state = 'catching up'
  for (const sequence of inOrder(1, 300)) recordSent(subscription, sequence)
  expect(countRemembered(subscription)).toBe(300)
  markLive(subscription)
  expect(remembered(subscription, inOrder(1, 300))).toEqual(inOrder(173, 300))
  recordSent(subscription, 301)
  expect(remembered(subscription, inOrder(1, 301))).toEqual(inOrder(173, 301))
})

test('sequences are added once, found and removed in any order', () => {
  const sent = createSentSequences()
  for (const sequence of [5, 1, 9, 5, 3, 9, 1]) addSequence(sent, sequence)
  expect(sent.newer).toEqual([1, 3, 5, 9])
  expect([0, 1, 2, 3, 4, 5, 9, 10].filter((sequence) => hasSequence(sent, sequence))).toEqual([1, 3, 5, 9])
  for (const sequence of [4, 9, 1, 10]) removeSequence(sent, sequence)
  expect(sent.newer).toEqual([3, 5])
})

test('a sequence of the older generation is found, not added again, and removed', () => {
  const subscription = createSubscription('topic', 'client', undefined)
  markLive(subscription)
  for (const sequence of inOrder(1, 64)) recordSent(subscription, sequence)
  recordSent(subscription, 7)
  expect(subscription.sent).toEqual({ newer: [], older: inOrder(1, 64) })
  if (subscription.sent !== undefined) removeSequence(subscription.sent, 7)
  expect(remembered(subscription, [6, 7, 8])).toEqual([6, 8])
})
