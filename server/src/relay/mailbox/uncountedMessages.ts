import type { CountedUsage, StoredUsage } from '../limits/admitMessages.ts'
import type { RelayMessage } from './mailbox.ts'

/** A stored message and its bytes. */
export type UncountedMessage = Pick<RelayMessage, 'topic' | 'publisher' | 'expiresAt'> & { bytes: number }

/** The undelivered messages that this process has stored and that the counters in the database don't contain yet. */
export type UncountedMessages = {
  add(sequence: number, message: UncountedMessage): void
  /** Removes a message that was delivered or deleted. @returns it, unless it was counted before */
  remove(sequence: number): UncountedMessage | undefined
  /** Removes the messages that the counters contain now: those with this sequence or a smaller one. */
  removeCounted(until: number): void
  /** Adds them to the counters of the topics and publishers of a group, which were read from the database. */
  addTo(usage: StoredUsage, group: readonly Pick<UncountedMessage, 'topic' | 'publisher'>[]): StoredUsage
}

/** The most messages that are remembered while the counters can't be written. */
const maxMessages = 100_000

/** Creates an empty set. Its size is that of the traffic of one counting interval. */
export function createUncountedMessages(): UncountedMessages {
  /** By sequence, in increasing order. */
  const messages = new Map<number, UncountedMessage>()
  const topics = new Map<string, CountedUsage>()
  const publishers = new Map<string, CountedUsage>()

  function remove(sequence: number): UncountedMessage | undefined {
    const message = messages.get(sequence)
    if (message === undefined) return undefined
    messages.delete(sequence)
    subtract(topics, message.topic, message.bytes)
    subtract(publishers, message.publisher, message.bytes)
    return message
  }

  return {
    add(sequence, message) {
      messages.set(sequence, message)
      const usage = { messages: 1, bytes: message.bytes, expiresAt: message.expiresAt }
      add(topics, message.topic, usage)
      add(publishers, message.publisher, usage)
      const [oldest] = messages.keys()
      if (messages.size > maxMessages && oldest !== undefined) remove(oldest)
    },
    remove,
    removeCounted(until) {
      for (const sequence of messages.keys()) {
        if (sequence > until) break
        remove(sequence)
      }
    },
    addTo: (usage, group) => ({
      topics: addAll(usage.topics, topics, new Set(group.map(({ topic }) => topic))),
      publishers: addAll(usage.publishers, publishers, new Set(group.map(({ publisher }) => publisher))),
    }),
  }
}

function addAll(
  stored: StoredUsage['topics'],
  uncounted: StoredUsage['topics'],
  keys: ReadonlySet<string>,
): StoredUsage['topics'] {
  const both = new Map(stored)
  for (const key of keys) {
    const usage = uncounted.get(key)
    if (usage !== undefined) add(both, key, usage)
  }
  return both
}

function add(usage: Map<string, CountedUsage>, key: string, added: CountedUsage): void {
  const before = usage.get(key)
  usage.set(key, before === undefined ? added : sum(before, added))
}

function subtract(usage: Map<string, CountedUsage>, key: string, bytes: number): void {
  const before = usage.get(key)
  if (before === undefined || before.messages <= 1) usage.delete(key)
  else usage.set(key, { messages: before.messages - 1, bytes: before.bytes - bytes, expiresAt: before.expiresAt })
}

function sum(one: CountedUsage, other: CountedUsage): CountedUsage {
  return {
    messages: one.messages + other.messages,
    bytes: one.bytes + other.bytes,
    expiresAt: Math.min(one.expiresAt, other.expiresAt),
  }
}
