import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'

/** The topics of a payment's requests. Each is handled separately. */
type Topic = 'tokens' | 'balance' | 'fee' | 'receiver'

type Requests = { numbers: Map<Topic, number>; due: Map<Topic, () => void> }

const sendRequests = defineFeature((): Requests => ({ numbers: new Map(), due: new Map() }))

/**
 * Starts a request. Earlier requests of the topic become stale.
 *
 * @returns a function that returns true while the request is the latest of its topic; drop the response otherwise
 */
export function beginRequest(latchkey: Latchkey, topic: Topic): () => boolean {
  const { numbers, due } = getFeature(latchkey, sendRequests)
  const number = (numbers.get(topic) ?? 0) + 1
  numbers.set(topic, number)
  due.get(topic)?.()
  due.delete(topic)
  return () => numbers.get(topic) === number
}

/** Runs an action after a delay. A new request of the topic cancels it. */
export function scheduleRequest(latchkey: Latchkey, topic: Topic, milliseconds: number, act: () => void): void {
  const { due } = getFeature(latchkey, sendRequests)
  due.get(topic)?.()
  due.set(topic, latchkey.internal.clock.after(milliseconds, act))
}

/** Makes all requests stale. */
export function invalidateRequests(latchkey: Latchkey): void {
  for (const topic of ['tokens', 'balance', 'fee', 'receiver'] as const) beginRequest(latchkey, topic)
}
