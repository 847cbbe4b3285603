import { hash, randomBytes } from 'node:crypto'
import { ensureStream } from '../../../kit/nats/ensureStream.ts'
import type { Nats } from '../../../kit/nats/connectNats.ts'
import { openNatsStream, openStreamManager, type NatsStream } from '../../../kit/nats/natsStream.ts'
import { getField } from '../../../kit/runtime/getField.ts'

/** The part of the mailbox that one stream holds: the topics whose hash selects it. */
export type Partition = {
  readonly index: number
  readonly stream: NatsStream
  /** The subject of the messages of a topic. */
  messageSubject(topic: string): string
  /** The subject of the receipts of a topic. */
  receiptSubject(topic: string): string
  /** Matches all subjects of the partition. */
  readonly allSubjects: string
  /** Converts a sequence of the stream to one of the mailbox. */
  toSequence(streamSequence: number): number
}

/** The streams of the mailbox. */
export type Partitions = {
  readonly all: readonly Partition[]
  ofTopic(topic: string): Partition
  /** Finds the stream and its sequence by a sequence of the mailbox; `undefined` if the topic has others. */
  locate(topic: string, sequence: number): { partition: Partition; streamSequence: number } | undefined
  /** Holds single records by name: the last one of each name. */
  readonly records: NatsStream
  recordSubject(name: string): string
}

export type PartitionsOptions = {
  nats: Nats
  /** The copies of each stream. */
  replicas: number
  /** The number of streams. Only the first process that starts on a cluster decides. */
  partitions?: number
  /** The longest TTL of a message in seconds. */
  maxTtl: number
  /** The most bytes of each stream; unlimited by default. */
  maxBytes?: number | undefined
  /** Starts the name of every stream and subject. */
  name: string
}

const defaultPartitions = 16
/** Clocks differ between processes and servers, so that messages are kept a little longer than they are delivered. */
const ageMarginMs = 60 * 60 * 1_000

/**
 * Creates the streams of the mailbox, or opens them. Their number and the key of the topics' hash are in the cluster, so
 * that all processes agree. The key is secret, so that clients can't choose topics of one stream.
 */
export async function openPartitions(options: PartitionsOptions): Promise<Partitions> {
  const { nats, replicas, maxTtl, maxBytes, name: prefix } = options
  const manager = await openStreamManager(nats.connection)
  const isReplicated = replicas > 1
  const open = (name: string): NatsStream =>
    openNatsStream({ connection: nats.connection, manager, name, isReplicated })
  const recordsName = `${prefix}-records`
  await ensureStream(manager, { name: recordsName, subjects: [`${recordsName}.>`], replicas, messagesPerSubject: 1 })
  const records = open(recordsName)
  const { count, key } = await agreeOnLayout(records, `${recordsName}.layout`, options.partitions ?? defaultPartitions)
  const all: Partition[] = []
  for (let index = 0; index < count; index += 1) {
    const name = `${prefix}-${index}`
    const maxAgeMs = maxTtl * 1_000 + ageMarginMs
    const limits = maxBytes === undefined ? {} : { maxBytes }
    await ensureStream(manager, { name, subjects: [`${name}.>`], replicas, maxAgeMs, ...limits })
    all.push(toPartition(name, index, count, open(name)))
  }
  const ofTopic = (topic: string): Partition => {
    const index = hash('sha256', key + topic, 'buffer').readUInt32BE() % count
    const partition = all[index]
    if (partition === undefined) throw new Error(`there is no partition ${index}`)
    return partition
  }
  return {
    all,
    ofTopic,
    locate(topic, sequence) {
      const partition = ofTopic(topic)
      if (sequence % count !== partition.index) return undefined
      return { partition, streamSequence: (sequence - partition.index) / count }
    },
    records,
    recordSubject: (name) => `${recordsName}.${name}`,
  }
}

function toPartition(name: string, index: number, count: number, stream: NatsStream): Partition {
  return {
    index,
    stream,
    messageSubject: (topic) => `${name}.message.${topic}`,
    receiptSubject: (topic) => `${name}.receipt.${topic}`,
    allSubjects: `${name}.>`,
    toSequence: (streamSequence) => streamSequence * count + index,
  }
}

type Layout = { count: number; key: string }

/** Reads the layout, or writes it if this is the first process. */
async function agreeOnLayout(records: NatsStream, subject: string, count: number): Promise<Layout> {
  for (;;) {
    const stored = await records.readNext(subject, 1)
    if (stored !== undefined) return parseLayout(stored.payload.toString())
    const payload = JSON.stringify({ count, key: randomBytes(16).toString('hex') })
    await records.append({ subject, header: 'layout', payload, expectedLast: 0 })
  }
}

function parseLayout(text: string): Layout {
  const layout: unknown = JSON.parse(text)
  const [count, key] = [getField(layout, 'count'), getField(layout, 'key')]
  if (typeof count === 'number' && typeof key === 'string') return { count, key }
  throw new Error('The layout of the mailbox in NATS is not readable. Another program uses the same names.')
}

/** Gets the topic of a subject, which is its last part. */
export function toTopic(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1)
}
