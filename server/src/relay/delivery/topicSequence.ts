import type { RelayMessage } from '../mailbox/mailbox.ts'

/** The messages of each topic that arrived in this process, by sequence. */
export type TopicSequence = {
  /** Adds a message. @returns false if the message before it did not arrive */
  add(message: Pick<RelayMessage, 'topic' | 'sequence' | 'previous'>): boolean
  /** Forgets a topic, because its messages no longer arrive, or have other sequences. */
  forget(topic: string): void
}

/** Creates a sequence without topics. The first message of a topic that arrives has no known predecessor. */
export function createTopicSequence(): TopicSequence {
  const last = new Map<string, number>()

  return {
    add({ topic, sequence, previous }) {
      // The store does not number the messages of a topic.
      if (previous === undefined) return true
      const known = last.get(topic)
      last.set(topic, Math.max(known ?? 0, sequence))
      return known === undefined || previous <= known
    },
    forget: (topic) => void last.delete(topic),
  }
}
