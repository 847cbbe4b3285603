import { describe, expect, test } from 'vitest'
import { addSequence, hasSequence, removeSequence, type SentSequences } from './sentSequences.ts'
import { createSubscription, markLive, recordSent } from './subscription.ts'

const inOrder = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('a live subscription', () => {
  test('remembers its 128 newest sequences in the compact form, even if they were sent out of order', () => {
    const subscription = createSubscription('topic', 'client', undefined)
    markLive(subscription)
    for (const sequence of inOrder(1, 400)) recordSent(subscription, sequence % 2 === 0 ? sequence - 1 : sequence + 1)
    expect(subscription.sent).toEqual(inOrder(273, 400))
  })

  test('remembers nothing before its first message', () => {
    expect(createSubscription('topic', 'client', undefined).sent).toBeUndefined()
  })
})

test('a subscription remembers all sequences while it catches up, and the newest ones afterwards', () => {
  const subscription = createSubscription('topic', 'client', undefined)
  subscription.state = 'catching up'
  for (const sequence of inOrder(1, 300)) recordSent(subscription, sequence)
  expect(subscription.sent).toHaveLength(300)
  markLive(subscription)
  expect(subscription.sent).toEqual(inOrder(173, 300))
})

test('sequences are added once, found and removed in any order', () => {
  const sent: SentSequences = []
  for (const sequence of [5, 1, 9, 5, 3, 9, 1]) addSequence(sent, sequence)
  expect(sent).toEqual([1, 3, 5, 9])
  expect([0, 1, 2, 3, 4, 5, 9, 10].filter((sequence) => hasSequence(sent, sequence))).toEqual([1, 3, 5, 9])
  for (const sequence of [4, 9, 1, 10]) removeSequence(sent, sequence)
  expect(sent).toEqual([3, 5])
})
