/** Undelivered messages and their bytes. */
export type Usage = { messages: number; bytes: number }

/** Limits of undelivered messages: of one topic, their bytes, and the bytes of all that one client published. */
export type MailboxLimits = Usage & { bytesPerPublisher: number }

/** The undelivered messages of topics and of publishers. A missing key has none. */
export type StoredUsage = {
  topics: ReadonlyMap<string, CountedUsage>
  publishers: ReadonlyMap<string, CountedUsage>
}

/** The usage of a topic or of a publisher, with the earliest time at which one of its messages may have expired. */
export type CountedUsage = Usage & { expiresAt: number }

export type QuotaMessage = { topic: string; publisher: string; bytes: number }

/** The decision about a message: there is room for it, or its topic or its publisher has reached the limit. */
export type QuotaDecision = 'admitted' | 'topic full' | 'publisher full'

/**
 * Decides about messages in their order. An admitted message leaves less room for the next one. A message that is too big
 * leaves room for a smaller one.
 *
 * @param exemptPublisher publishes for many clients, so the limit per publisher does not apply to it
 */
export function admitMessages(
  messages: readonly QuotaMessage[],
  { topics, publishers }: StoredUsage,
  limits: MailboxLimits,
  exemptPublisher?: string,
): readonly QuotaDecision[] {
  const ofTopics = new Map<string, Usage>(topics)
  const ofPublishers = new Map<string, Usage>(publishers)
  return messages.map(({ topic, publisher, bytes }) => {
    const onTopic = addMessage(ofTopics.get(topic), bytes)
    if (onTopic.messages > limits.messages || onTopic.bytes > limits.bytes) return 'topic full'
    const ofPublisher = addMessage(ofPublishers.get(publisher), bytes)
    if (publisher !== exemptPublisher && ofPublisher.bytes > limits.bytesPerPublisher) return 'publisher full'
    ofTopics.set(topic, onTopic)
    ofPublishers.set(publisher, ofPublisher)
    return 'admitted'
  })
}

function addMessage({ messages, bytes }: Usage = { messages: 0, bytes: 0 }, added: number): Usage {
  return { messages: messages + 1, bytes: bytes + added }
}
