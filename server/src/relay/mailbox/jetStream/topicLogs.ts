import { LRUCache } from 'lru-cache'
import type { StreamEntry } from '../../../kit/nats/natsStream.ts'
import { parseMessageHeader, parseReceiptHeader } from './messageHeader.ts'
import type { Partition, Partitions } from './openPartitions.ts'
import { addMessage, addReceipt, createTopicState, type TopicState } from './topicState.ts'

/** The logs of topics: their messages and receipts in the order in which processes appended them. */
export type TopicLogs = {
  /** The state as this process knows it, which may lack what other processes did. */
  known(topic: string): TopicState | undefined
  /** Reads the new messages of a topic. The state contains every message whose append resolved before. */
  refresh(topic: string): Promise<TopicState>
  /** Reads the new receipts of a topic into its state. */
  refreshReceipts(topic: string, state: TopicState): Promise<void>
  /** Creates the state of a topic that this process does not know. */
  create(topic: string): TopicState
  /** Starts the state of a topic from scratch, because messages that it contains were deleted. */
  forget(topic: string): void
  /** As `forget`, because the log that was read may be that of a replica with other sequences. */
  distrust(topic: string): void
  /** Starts the states of all topics of a partition from scratch, also those that are being read or changed now. */
  forgetPartition(partition: Partition): void
  /** Keeps a state. Call it after each change of its size. */
  keep(topic: string, state: TopicState): void
}

/** Messages and receipts of all states together. A state takes some 500 bytes for each. */
const maxEntries = 100_000
/** Up to this many new entries are read one by one; the rest with a consumer, which is slower to start. */
const maxSingleReads = 16
/**
 * The same for a stream that has had another leader: a consumer may be on a replica with other sequences, and single reads ask the
 * leader.
 */
const maxLeaderReads = 2_000
const entriesPerRead = 1_000

/** Creates the logs of a mailbox. The states that were used last are kept in memory. */
export function createTopicLogs(partitions: Pick<Partitions, 'ofTopic'>): TopicLogs {
  const states = new LRUCache<string, TopicState>({ maxSize: maxEntries, maxEntrySize: maxEntries })
  const generations = new Map<Partition, number>()
  const generationOf = (topic: string): number => generations.get(partitions.ofTopic(topic)) ?? 0
  const singleReadsOf = (partition: Partition): number => (generations.has(partition) ? maxLeaderReads : maxSingleReads)

  function findKnown(topic: string): TopicState | undefined {
    const state = states.get(topic)
    return state?.generation === generationOf(topic) ? state : undefined
  }

  function create(topic: string): TopicState {
    return createTopicState(generationOf(topic))
  }

  function keep(topic: string, state: TopicState): void {
    if (state.generation !== generationOf(topic)) return
    states.set(topic, state, { size: 1 + state.messages.size + state.receipts.size + state.early.size })
  }

  async function refreshReceipts(topic: string, state: TopicState): Promise<void> {
    const partition = partitions.ofTopic(topic)
    const receipts = { subject: partition.receiptSubject(topic), after: state.lastReceipt }
    await readNew(partition, { ...receipts, singleReads: singleReadsOf(partition) }, (entry) => {
      state.lastReceipt = Math.max(state.lastReceipt, entry.sequence)
      const header = parseReceiptHeader(entry.header)
      for (const receipt of header?.receipts ?? []) addReceipt(state, receipt)
    })
    keep(topic, state)
  }

  return {
    known: findKnown,
    async refresh(topic) {
      const partition = partitions.ofTopic(topic)
      const state = findKnown(topic) ?? create(topic)
      const messages = { subject: partition.messageSubject(topic), after: state.lastMessage }
      await readNew(partition, { ...messages, singleReads: singleReadsOf(partition) }, (entry) => {
        const header = parseMessageHeader(entry.header)
        if (header !== undefined) addMessage(state, entry.sequence, header)
      })
      if (state.messages.size > 0) await refreshReceipts(topic, state)
      return state
    },
    refreshReceipts,
    create,
    forget: (topic) => void states.delete(topic),
    distrust(topic) {
      states.delete(topic)
      const partition = partitions.ofTopic(topic)
      if (!generations.has(partition)) generations.set(partition, 0)
    },
    forgetPartition: (partition) => void generations.set(partition, (generations.get(partition) ?? 0) + 1),
    keep,
  }
}

/**
 * Reads the entries of a subject after a sequence. Single reads ask the leader. A consumer may be on a replica that is behind,
 * differs from the leader or is cut off; the rest is then read one by one.
 */
async function readNew(
  { stream }: Pick<Partition, 'stream'>,
  { subject, after, singleReads }: { subject: string; after: number; singleReads: number },
  add: (entry: StreamEntry) => void,
): Promise<void> {
  let next = after + 1
  let mostSingleReads = singleReads
  for (;;) {
    for (let reads = 0; reads < mostSingleReads; reads += 1) {
      const entry = await stream.readNext(subject, next)
      if (entry === undefined) return
      add(entry)
      next = entry.sequence + 1
    }
    const entries = await stream.readHeaders(subject, next, entriesPerRead).catch(() => [])
    entries.forEach(add)
    const last = entries.at(-1)
    if (last === undefined) mostSingleReads = Infinity
    else next = last.sequence + 1
  }
}
