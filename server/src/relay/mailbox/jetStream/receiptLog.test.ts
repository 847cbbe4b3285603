import { expect, test } from 'vitest'
import type { NatsStream, NewStreamEntry, StreamEntry } from '../../../kit/nats/natsStream.ts'
import { formatMessageHeader, parseReceiptHeader, type MessageHeader } from './messageHeader.ts'
import type { Partition } from './openPartitions.ts'
import { createReceiptLog } from './receiptLog.ts'
import { createTopicLogs } from './topicLogs.ts'

const topic = 'ab'.repeat(32)
const messageSubject = `relay-0.m.${topic}`
const now = 1_700_000_000_000

const createHeader = (digest: string, publishedAt: number): MessageHeader => ({
  publishedAt,
  expiresAt: now + 300_000,
  bytes: 3,
  digest,
  publisher: 'a',
})
const first = createHeader('first', now)
const second = createHeader('second', now + 5)

/** A stream with one message under the sequence 7, which `message` replaces, and appends that fail while `isDown`. */
function createStream() {
  const written: NewStreamEntry[] = []
  const state = { message: first as MessageHeader | Error | undefined, isDown: false, reads: 0 }
  const stream: Pick<NatsStream, 'read' | 'append'> = {
    async read(sequence): Promise<StreamEntry | undefined> {
      state.reads += 1
      if (state.message instanceof Error) throw state.message
      if (sequence !== 7 || state.message === undefined) return undefined
      const header = formatMessageHeader(state.message)
      return { sequence, subject: messageSubject, header, payload: Buffer.alloc(0) }
    },
    async append(entry) {
      if (state.isDown) throw new Error('no leader')
      written.push(entry)
      return { outcome: 'stored', sequence: 8 }
    },
  }
  // Receipts use these members only.
  const partition = {
    stream,
    messageSubject: () => messageSubject,
    receiptSubject: () => `relay-0.r.${topic}`,
  } as unknown as Partition
  const partitions = {
    ofTopic: () => partition,
    locate: (_topic: string, sequence: number) => ({ partition, streamSequence: sequence }),
  }
  const quotas = { reserve: async () => true, release: () => undefined, flush: async () => undefined }
  const log = createReceiptLog({ partitions, logs: createTopicLogs(partitions), quotas })
  const readReceipts = () => written.flatMap(({ header }) => parseReceiptHeader(header)?.receipts ?? [])
  return { log, state, readReceipts }
}

test('a receipt names its message and ends with it', async () => {
  const { log, readReceipts } = createStream()
  await log.add({ topic, sequence: 7, publishedAt: now }, 'wallet')
  expect(readReceipts()).toEqual([{ sequence: 7, receiver: 'wallet', message: { digest: 'first', publishedAt: now } }])
})

test('a message that several receivers acknowledge is read once', async () => {
  const { log, state, readReceipts } = createStream()
  await Promise.all(['wallet', 'tablet'].map((receiver) => log.add({ topic, sequence: 7, publishedAt: now }, receiver)))
  expect(readReceipts().map(({ receiver }) => receiver)).toEqual(['wallet', 'tablet'])
  expect(state.reads).toBe(1)
})

test('an acknowledgement does not count for another message that has its sequence now [R-02]', async () => {
  const { log, state, readReceipts } = createStream()
  // A server was killed, and the new leader numbers the messages differently.
  state.message = second
  await log.add({ topic, sequence: 7, publishedAt: now }, 'wallet')
  expect(readReceipts()).toEqual([])
})

test('a repeated append of a receipt names the message that was delivered [R-02]', async () => {
  const { log, state, readReceipts } = createStream()
  state.isDown = true
  const added = log.add({ topic, sequence: 7, publishedAt: now }, 'wallet')
  await new Promise((resolve) => setTimeout(resolve, 100))
  Object.assign(state, { message: second, isDown: false })
  await added
  expect(readReceipts().map(({ message }) => message?.digest)).toEqual(['first'])
})

test('a receipt waits until its message can be read [R-02]', async () => {
  const { log, state, readReceipts } = createStream()
  state.message = new Error('no leader')
  const added = log.add({ topic, sequence: 7, publishedAt: now }, 'wallet')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(readReceipts()).toEqual([])
  state.message = first
  await added
  expect(readReceipts().map(({ message }) => message?.digest)).toEqual(['first'])
})

test('a message that is no longer stored needs no receipt', async () => {
  const { log, state, readReceipts } = createStream()
  state.message = undefined
  await log.add({ topic, sequence: 7, publishedAt: now }, 'wallet')
  expect(readReceipts()).toEqual([])
})
