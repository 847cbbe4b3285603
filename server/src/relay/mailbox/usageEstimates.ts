import { LRUCache } from 'lru-cache'
import type { CountedUsage, MailboxLimits, QuotaMessage, StoredUsage, Usage } from '../limits/admitMessages.ts'

/**
 * The usage of topics and of publishers as last read from the database, plus what this process has stored since. Most
 * messages are admitted by it, without a query.
 */
export type UsageEstimates = {
  /**
   * Finds the messages of a group whose topic or publisher must be read before they are admitted: those that were not
   * read yet, those that may be full, and those to which this process has added a lot since the last reading.
   */
  findOutdated<Message extends QuotaMessage>(group: readonly Message[]): readonly Message[]
  /** Replaces the estimates of the topics and publishers of messages. One that is missing in `usage` has no messages. */
  update(messages: readonly QuotaMessage[], usage: StoredUsage): void
  /** The estimates of the topics and publishers of a group. */
  read(group: readonly QuotaMessage[]): StoredUsage
  /** Adds a message that this process has stored. */
  add(message: QuotaMessage): void
  /** Subtracts a message of this process that was delivered before the database counted it. */
  remove(message: QuotaMessage): void
}

export type UsageEstimatesOptions = {
  limits: MailboxLimits
  /** The limit per publisher does not apply to it. */
  exemptPublisher?: string | undefined
}

/**
 * The part of a limit that a process adds to a topic or publisher before it reads the usage again. Other processes can't
 * see it until then, so each process can exceed a limit by this part at most.
 */
const unseenPart = 1 / 8
/** The most topics and the most publishers that are remembered; the least recently used are forgotten. */
const maxEstimates = 50_000

/** `added` is the part of `usage` that was added after the reading. */
type Estimate = { usage: CountedUsage; added: Usage }

/** Creates empty estimates. */
export function createUsageEstimates({ limits, exemptPublisher }: UsageEstimatesOptions): UsageEstimates {
  const topics = createEstimates(limits)
  const publishers = createEstimates({ messages: Infinity, bytes: limits.bytesPerPublisher })

  return {
    findOutdated(group) {
      const ofTopics = sumBytes(group, ({ topic }) => topic)
      const ofPublishers = sumBytes(group, ({ publisher }) => publisher)
      return group.filter(
        ({ topic, publisher }) =>
          !topics.hasRoom(topic, ofTopics.get(topic)) ||
          (publisher !== exemptPublisher && !publishers.hasRoom(publisher, ofPublishers.get(publisher))),
      )
    },
    update(messages, usage) {
      for (const { topic, publisher } of messages) {
        topics.set(topic, usage.topics.get(topic))
        publishers.set(publisher, usage.publishers.get(publisher))
      }
    },
    read: (group) => ({
      topics: topics.readAll(group.map(({ topic }) => topic)),
      publishers: publishers.readAll(group.map(({ publisher }) => publisher)),
    }),
    add({ topic, publisher, bytes }) {
      topics.change(topic, 1, bytes)
      publishers.change(publisher, 1, bytes)
    },
    remove({ topic, publisher, bytes }) {
      topics.change(topic, -1, -bytes)
      publishers.change(publisher, -1, -bytes)
    },
  }
}

function sumBytes(
  group: readonly QuotaMessage[],
  keyOf: (message: QuotaMessage) => string,
): ReadonlyMap<string, Usage> {
  const sums = new Map<string, Usage>()
  for (const message of group) {
    const key = keyOf(message)
    const { messages, bytes } = sums.get(key) ?? noUsage
    sums.set(key, { messages: messages + 1, bytes: bytes + message.bytes })
  }
  return sums
}

const noUsage: Usage = { messages: 0, bytes: 0 }

function createEstimates(limits: Usage): {
  hasRoom(key: string, added?: Usage): boolean
  set(key: string, usage?: CountedUsage): void
  readAll(keys: readonly string[]): ReadonlyMap<string, CountedUsage>
  change(key: string, messages: number, bytes: number): void
} {
  const estimates = new LRUCache<string, Estimate>({ max: maxEstimates })
  const unseen: Usage = { messages: limits.messages * unseenPart, bytes: limits.bytes * unseenPart }
  const fits = (usage: Usage, added: Usage, limit: Usage): boolean =>
    usage.messages + added.messages <= limit.messages && usage.bytes + added.bytes <= limit.bytes

  return {
    hasRoom(key, added = noUsage) {
      const estimate = estimates.get(key)
      return estimate !== undefined && fits(estimate.usage, added, limits) && fits(estimate.added, added, unseen)
    },
    set(key, usage = { ...noUsage, expiresAt: Infinity }) {
      estimates.set(key, { usage: { ...usage }, added: { ...noUsage } })
    },
    readAll: (keys) =>
      new Map(
        keys.flatMap((key): Array<[string, CountedUsage]> => {
          const estimate = estimates.peek(key)
          return estimate === undefined ? [] : [[key, estimate.usage]]
        }),
      ),
    change(key, messages, bytes) {
      const estimate = estimates.peek(key)
      if (estimate === undefined) return
      for (const usage of [estimate.usage, estimate.added]) {
        usage.messages += messages
        usage.bytes += bytes
      }
    },
  }
}
