import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamEntry } from '../../../kit/nats/natsStream.ts'
import type { Receipt } from '../mailbox.ts'
import { formatReceiptHeader, parseMessageHeader, type MessageHeader } from './messageHeader.ts'
import type { Partitions } from './openPartitions.ts'
import type { PublisherQuotas } from './publisherQuotas.ts'
import type { TopicLogs } from './topicLogs.ts'
import { addReceipt } from './topicState.ts'

/** Appends the receipts of clients to the logs of topics. */
export type ReceiptLog = {
  /** Resolves when the receipt is written, or when its message is no longer stored. */
  add(receipt: Receipt, receiver: string): Promise<void>
  /** Writes the receipts of a topic now, and resolves when they are written. */
  flush(topic: string): Promise<void>
  /** Resolves when all receipts are written. */
  idle(): Promise<void>
}

export type ReceiptLogOptions = {
  partitions: Pick<Partitions, 'ofTopic' | 'locate'>
  logs: TopicLogs
  quotas: PublisherQuotas
}

type Pending = {
  readonly sequence: number
  /** When the acknowledged message was published; `undefined` if it may be any message of this sequence. */
  readonly publishedAt: number | undefined
  readonly receiver: string
  /** Set when it was read: when an append is repeated, the sequence may name another message. */
  header: MessageHeader | undefined
  resolve(): void
  reject(reason: unknown): void
}

/** Receipts are gathered this long. A lost one costs a repeated delivery, which clients ignore. */
const gatherMs = 25
/** The header of an entry has at most 64 KiB. */
const receiptsPerEntry = 500
/** The most receipts held in memory while the cluster is unavailable. */
const maxPending = 50_000
/** A stream has a new leader within seconds. A receipt that is not written by then is lost. */
const retries = { totalMs: 10_000, pauseMs: 200 } as const

/** Creates the receipt log of a mailbox. */
export function createReceiptLog(options: ReceiptLogOptions): ReceiptLog {
  const { partitions } = options
  const pending = new Map<string, Pending[]>()
  const writing = new Map<string, Promise<void>>()
  const appendGroup = withRetries(createGroupAppend(options))
  let count = 0
  let timer: NodeJS.Timeout | undefined

  function writeAll(): void {
    timer = undefined
    for (const topic of pending.keys()) void write(topic)
  }

  async function write(topic: string): Promise<void> {
    const group = pending.get(topic)?.splice(0, receiptsPerEntry) ?? []
    if (pending.get(topic)?.length === 0) pending.delete(topic)
    if (group.length === 0) return writing.get(topic)
    count -= group.length
    const written = Promise.all([writing.get(topic), appendGroup(topic, group)]).then(
      () => group.forEach(({ resolve }) => resolve()),
      (error: unknown) => group.forEach(({ reject }) => reject(error)),
    )
    writing.set(topic, written)
    await written
    if (writing.get(topic) === written) writing.delete(topic)
    if (pending.has(topic)) await write(topic)
  }

  return {
    add({ topic, sequence, publishedAt }, receiver) {
      const located = partitions.locate(topic, sequence)
      if (located === undefined) return Promise.resolve()
      if (count >= maxPending) return Promise.reject(new Error('too many receipts wait for NATS'))
      count += 1
      return new Promise((resolve, reject) => {
        const item = { sequence: located.streamSequence, publishedAt, receiver, header: undefined, resolve, reject }
        const ofTopic = pending.get(topic)
        if (ofTopic === undefined) pending.set(topic, [item])
        else ofTopic.push(item)
        timer ??= setTimeout(writeAll, gatherMs)
      })
    },
    flush: write,
    async idle() {
      while (pending.size > 0 || writing.size > 0) {
        await Promise.all([...pending.keys()].map(write))
        await Promise.all(writing.values())
      }
    },
  }
}

type GroupAppend = (topic: string, group: readonly Pending[]) => Promise<void>

/** Repeats an append that fails, for some time. */
function withRetries(append: GroupAppend): GroupAppend {
  return async (topic, group) => {
    const end = performance.now() + retries.totalMs
    for (;;) {
      try {
        return await append(topic, group)
      } catch (error) {
        if (performance.now() > end) throw error
        await sleep(retries.pauseMs)
      }
    }
  }
}

/** Creates a function that appends receipts of one topic as one entry, and gives the bytes of first ones back. */
function createGroupAppend({ partitions, logs, quotas }: ReceiptLogOptions): GroupAppend {
  async function findHeader(topic: string, { sequence, publishedAt }: Pending): Promise<MessageHeader | undefined> {
    const isMessage = (header: MessageHeader | undefined): boolean =>
      header !== undefined && (publishedAt === undefined || header.publishedAt === publishedAt)
    const known = logs.known(topic)?.messages.get(sequence)
    if (isMessage(known)) return known
    const { stream, messageSubject } = partitions.ofTopic(topic)
    const subject = messageSubject(topic)
    const parse = (entry: StreamEntry | undefined): MessageHeader | undefined =>
      entry?.subject === subject ? parseMessageHeader(entry.header) : undefined
    const header = parse(await stream.read(sequence, (found) => isMessage(parse(found))))
    return isMessage(header) ? header : undefined
  }

  return async (topic, group) => {
    const partition = partitions.ofTopic(topic)
    const parts: { sequence: number; receiver: string; message: MessageHeader }[] = []
    // Several receivers acknowledge one message.
    const headers = new Map<string, MessageHeader>()
    for (const pending of group) {
      const { sequence, publishedAt, receiver } = pending
      const key = `${sequence} ${publishedAt}`
      const header = pending.header ?? headers.get(key) ?? (await findHeader(topic, pending))
      pending.header = header
      if (header !== undefined) headers.set(key, header)
      if (header !== undefined) parts.push({ sequence, receiver, message: header })
    }
    if (parts.length === 0) return
    const expiresAt = Math.max(...parts.map(({ message }) => message.expiresAt))
    const header = formatReceiptHeader({ expiresAt, receipts: parts })
    const subject = partition.receiptSubject(topic)
    const appended = await partition.stream.append({ subject, header })
    if (appended.outcome === 'conflict') return
    const state = logs.known(topic)
    for (const part of parts) {
      const { sequence, message } = part
      const isFirst = state === undefined || !state.messages.has(sequence) || addReceipt(state, part)
      if (isFirst) quotas.release(message.publisher, message.bytes, message.expiresAt)
    }
    if (state !== undefined) logs.keep(topic, state)
  }
}
