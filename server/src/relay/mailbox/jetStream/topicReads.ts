import type { StreamEntry } from '../../../kit/nats/natsStream.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import { hashReceiver } from '../acknowledgements.ts'
import type { MailboxPosition, MessagePage, PositionedPage, Receipt, RelayMessage } from '../mailbox.ts'
import { parseMessageHeader, toRelayMessage, type MessageHeader } from './messageHeader.ts'
import { findReadEnd } from './findReadEnd.ts'
import { formatPosition, parsePosition } from './formatPosition.ts'
import { toTopic, type Partition, type Partitions } from './openPartitions.ts'
import type { TopicLogs } from './topicLogs.ts'
import { listUndelivered } from './topicState.ts'

/** A request for a page of undelivered messages of one topic. `after` is a sequence of the mailbox. */
export type TopicRead = { topic: string; client: string; after: number }

/** Reads the messages that clients neither published nor acknowledged. */
export type TopicReads = {
  readTopic(read: TopicRead): Promise<MessagePage>
  readTopics(topics: readonly string[], client: string): Promise<MessagePage>
  readAll(client: string, after: MailboxPosition): Promise<PositionedPage>
  filterReceipts(receipts: readonly Receipt[], client: string): Promise<readonly Receipt[]>
}

export type TopicReadsOptions = {
  partitions: Partitions
  logs: TopicLogs
  clock: Clock
  /** Writes pending receipts of a topic, so that their messages are not read again. */
  flush(topic: string): Promise<void>
}

/** Limits of a page. Its first message always fits. */
const page = { messages: 100, bytes: 1024 * 1024 } as const
/** Messages that are read at the same time. */
const concurrentReads = 16
/** Headers of one stream that a page of all topics is made from. It bounds the page. */
const entriesPerRead = 200

/** Messages that a page may contain, in their order, with their bytes. */
type Item = { topic: string; partition: Partition; streamSequence: number; header: MessageHeader }

/** Creates the reads of a mailbox. */
export function createTopicReads(options: TopicReadsOptions): TopicReads {
  const { partitions, logs, clock, flush } = options

  async function listItems({ topic, client, after }: TopicRead): Promise<readonly Item[]> {
    await flush(topic)
    const partition = partitions.ofTopic(topic)
    const state = await logs.refresh(topic)
    const undelivered = listUndelivered(state, {
      receiver: hashReceiver(client),
      after: Math.floor((after - partition.index) / partitions.all.length),
      now: clock.now(),
    })
    return undelivered.map(({ sequence, header }) => ({ topic, partition, streamSequence: sequence, header }))
  }

  return {
    readTopic: async (read) => readTopicPage(await listItems(read), page.messages, options),
    async readTopics(topics, client) {
      const items: Item[] = []
      let isCut = false
      for (let start = 0; start < topics.length; start += concurrentReads) {
        const group = topics.slice(start, start + concurrentReads)
        const lists = await Promise.all(group.map((topic) => listItems({ topic, client, after: 0 })))
        items.push(...lists.flatMap((list) => list.slice(0, page.messages)))
        isCut ||= lists.some((list) => list.length > page.messages)
      }
      const { messages, hasMore } = await readTopicPage(items, Infinity, options)
      return { messages, hasMore: hasMore || isCut }
    },
    readAll: (client, after) => readAll({ ...options, client, after, listItems }),
    async filterReceipts(receipts, client) {
      // A stream has many topics, so a sequence alone names a message of any of them.
      const undelivered = new Set<string>()
      const topics = [...new Set(receipts.map(({ topic }) => topic))]
      for (let start = 0; start < topics.length; start += concurrentReads) {
        const group = topics.slice(start, start + concurrentReads)
        const lists = await Promise.all(group.map((topic) => listItems({ topic, client, after: 0 })))
        for (const { topic, partition, streamSequence } of lists.flat()) {
          undelivered.add(`${topic} ${partition.toSequence(streamSequence)}`)
        }
      }
      return receipts.filter(({ topic, sequence }) => undelivered.has(`${topic} ${sequence}`))
    },
  }
}

/** Reads the texts of the first items that fit into a page. */
async function readTopicPage(
  items: readonly Item[],
  mostMessages: number,
  options: Pick<TopicReadsOptions, 'logs' | 'clock'>,
): Promise<MessagePage> {
  const chosen: Item[] = []
  let bytes = 0
  for (const item of items) {
    if (chosen.length >= mostMessages || bytes >= page.bytes) break
    chosen.push(item)
    bytes += item.header.bytes
  }
  const messages: RelayMessage[] = []
  for (let start = 0; start < chosen.length; start += concurrentReads) {
    const group = chosen.slice(start, start + concurrentReads)
    const read = await Promise.all(group.map((item) => readMessage(item, options)))
    messages.push(...read.filter((message) => message !== undefined))
  }
  const rest = items.slice(chosen.length)
  // A page without messages would make its reader start again.
  if (messages.length === 0 && rest.length > 0) return readTopicPage(rest, mostMessages, options)
  return { messages, hasMore: rest.length > 0 }
}

type AllReadOptions = Omit<TopicReadsOptions, 'flush'> & {
  client: string
  after: MailboxPosition
  listItems(read: TopicRead): Promise<readonly Item[]>
}

/** Reads the streams one after the other, from a position on. */
async function readAll(options: AllReadOptions): Promise<PositionedPage> {
  const { client, after, partitions, listItems } = options
  const positions = parsePosition(after, partitions.all.length)
  const items: Item[] = []
  let hasMore = false
  for (const partition of partitions.all) {
    const start = positions[partition.index] ?? 0
    const { last } = await partition.stream.bounds()
    if (last <= start) continue
    if (items.length >= page.messages) {
      hasMore = true
      continue
    }
    const entries = await partition.stream.readHeaders(partition.allSubjects, start + 1, entriesPerRead)
    const end = await findReadEnd(partition, entries, { after: start, last })
    const topics = new Set(entries.flatMap(({ header, subject }) => parseMessageHeader(header) && toTopic(subject)))
    topics.delete(undefined)
    for (const topic of topics) {
      const list = await listItems({ topic: topic ?? '', client, after: partition.toSequence(start) })
      items.push(...list.filter(({ streamSequence }) => streamSequence <= end))
    }
    positions[partition.index] = end
    hasMore ||= end < last
  }
  const messages: RelayMessage[] = []
  for (let start = 0; start < items.length; start += concurrentReads) {
    const group = items.slice(start, start + concurrentReads)
    const read = await Promise.all(group.map((item) => readMessage(item, options)))
    messages.push(...read.filter((message) => message !== undefined))
  }
  return { messages, hasMore, position: formatPosition(positions) }
}

/**
 * Reads a message; `undefined` if it has expired and been deleted since.
 *
 * @throws Error if the stream has no message or another one under this sequence, because its leader was replaced by a replica
 *   with other sequences. The next read of the topic reads its whole log
 */
async function readMessage(
  { topic, partition, streamSequence, header }: Item,
  { logs, clock }: Pick<TopicReadsOptions, 'logs' | 'clock'>,
): Promise<RelayMessage | undefined> {
  const subject = partition.messageSubject(topic)
  const isMessage = (found: StreamEntry): boolean =>
    found.subject === subject && parseMessageHeader(found.header)?.digest === header.digest
  const entry = await partition.stream.read(streamSequence, isMessage)
  if (entry === undefined && header.expiresAt <= clock.now()) return undefined
  if (entry === undefined || !isMessage(entry)) {
    logs.distrust(topic)
    throw new Error('the stream has no message or another one under the sequence of a known one')
  }
  return toRelayMessage(topic, partition.toSequence(streamSequence), header, entry.payload)
}
