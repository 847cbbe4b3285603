import { companion } from '../../companion.ts'
import type { Latchkey } from '../../latchkey.ts'

/** What a payment asks chains and names about, each question on its own. */
type Topic = 'tokens' | 'balance' | 'fee' | 'receiver'

const key = Symbol('send questions')

type Asked = { numbers: Map<Topic, number>; due: Map<Topic, () => void> }

/**
 * Begins a question and makes all earlier ones of its topic stale.
 *
 * @returns whether the question is still the latest: only then its answer counts
 */
export function ask(latchkey: Latchkey, topic: Topic): () => boolean {
  const { numbers, due } = askedOf(latchkey)
  const number = (numbers.get(topic) ?? 0) + 1
  numbers.set(topic, number)
  due.get(topic)?.()
  due.delete(topic)
  return () => numbers.get(topic) === number
}

/** Does something once it was quiet for a while; a new question of the topic cancels it. */
export function askLater(latchkey: Latchkey, topic: Topic, milliseconds: number, act: () => void): void {
  const { due } = askedOf(latchkey)
  due.get(topic)?.()
  due.set(topic, latchkey.clock.after(milliseconds, act))
}

/** Makes all questions stale. */
export function forgetQuestions(latchkey: Latchkey): void {
  for (const topic of ['tokens', 'balance', 'fee', 'receiver'] as const) ask(latchkey, topic)
}

function askedOf(latchkey: Latchkey): Asked {
  return companion(latchkey, key, (): Asked => ({ numbers: new Map(), due: new Map() }))
}
