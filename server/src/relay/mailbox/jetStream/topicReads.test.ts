import { expect, test } from 'vitest'
import { hashReceiver } from '../acknowledgements.ts'
import { agreesWithLeader } from '../../../kit/nats/agreesWithLeader.ts'
import type { NatsStream, StreamEntry } from '../../../kit/nats/natsStream.ts'
import { digestText, formatMessageHeader, formatPayload } from './messageHeader.ts'
import type { Partition } from './openPartitions.ts'
import { createTopicLogs } from './topicLogs.ts'
import { createTopicReads } from './topicReads.ts'

const topic = 'ab'.repeat(32)
const subject = `relay-0.m.${topic}`
const now = 1_700_000_000_000

function createEntry(sequence: number, text: string): StreamEntry {
  const message = { topic, message: text, ttl: 300, tag: 0, prompt: false, attestation: '', publisher: 'did:key:a' }
  const header = {
    publishedAt: now,
    expiresAt: now + 300_000,
    bytes: text.length,
    digest: digestText(text),
    publisher: 'a',
  }
  const payload = Buffer.from(formatPayload({ ...message, origin: '' }))
  return { sequence, subject, header: formatMessageHeader(header), payload }
}

/** A stream whose replicas number their entries differently from the leader: one for texts, and one for consumers. */
function createDivergedStream(
  leader: StreamEntry[],
  replica: StreamEntry[],
  consumed: StreamEntry[] | Error = replica,
) {
  const find = (entries: StreamEntry[], sequence: number) => entries.find((entry) => entry.sequence === sequence)
  const stream: Pick<NatsStream, 'read' | 'readNext' | 'readHeaders'> = {
    async readHeaders(wanted, from) {
      if (consumed instanceof Error) throw consumed
      const entries = consumed.filter((entry) => entry.subject === wanted && entry.sequence >= from)
      const own = {
        read: async (sequence: number) => find(leader, sequence),
        last: async () => leader.at(-1)?.sequence ?? 0,
      }
      if (await agreesWithLeader(entries, own)) return entries
      throw new Error('every replica that responded has other entries than the leader')
    },
    readNext: async (wanted, from) => leader.find((entry) => entry.subject === wanted && entry.sequence >= from),
    async read(sequence, isExpected) {
      const found = find(replica, sequence)
      return found !== undefined && isExpected(found) ? found : find(leader, sequence)
    },
  }
  // The reads of one topic use these members only.
  const partition = {
    index: 0,
    stream,
    messageSubject: () => subject,
    receiptSubject: () => `relay-0.r.${topic}`,
    toSequence: (sequence: number) => sequence,
  } as unknown as Partition
  const partitions = { all: [partition], ofTopic: () => partition }
  // As above.
  const logs = createTopicLogs(partitions)
  const clock = { now: () => now + 1_000 * passedSeconds }
  let passedSeconds = 0
  return {
    ...createTopicReads({ partitions: partitions as never, logs, clock, flush: async () => {} }),
    /** As if the stream had another leader. */
    forgetAll: () => logs.forgetPartition(partition),
    pass: (seconds: number) => void (passedSeconds += seconds),
  }
}

async function readTexts(reads: ReturnType<typeof createDivergedStream>): Promise<readonly string[]> {
  const { messages } = await reads.readTopic({ topic, client: 'did:key:b', after: 0 })
  return messages.map(({ message }) => message)
}

test('a message is read from the leader if a replica has another one under its sequence [R-02]', async () => {
  const receipt = { sequence: 1, subject: `relay-0.r.${topic}`, header: 'r 1 1 b', payload: Buffer.alloc(0) }
  const leader = [createEntry(1, 'one'), createEntry(2, 'two')]
  expect(await readTexts(createDivergedStream(leader, [receipt, createEntry(2, 'one')]))).toEqual(['one', 'two'])
})

test('a topic is read from scratch if the leader has other sequences than before [R-02]', async () => {
  const leader = [createEntry(1, 'one'), createEntry(2, 'two')]
  const reads = createDivergedStream(leader, [])
  expect(await readTexts(reads)).toEqual(['one', 'two'])
  // A replica with other sequences became the leader.
  leader.splice(0, 2, createEntry(2, 'one'), createEntry(3, 'two'))
  await expect(readTexts(reads)).rejects.toThrow('no message or another one under the sequence')
  expect(await readTexts(reads)).toEqual(['one', 'two'])
})

test('a message that no replica has at the moment is read later instead of being left out [R-02]', async () => {
  const leader = [createEntry(1, 'one'), createEntry(2, 'two')]
  const reads = createDivergedStream(leader, [])
  expect(await readTexts(reads)).toEqual(['one', 'two'])
  leader.splice(1, 1, createEntry(3, 'three'))
  await expect(readTexts(reads)).rejects.toThrow('no message or another one under the sequence')
  leader.splice(1, 0, createEntry(2, 'two'))
  expect(await readTexts(reads)).toEqual(['one', 'two', 'three'])
})

test('a message that has expired and was deleted is left out', async () => {
  const leader = [createEntry(1, 'one')]
  const reads = createDivergedStream(leader, [])
  expect(await readTexts(reads)).toEqual(['one'])
  leader.splice(0, 1)
  reads.pass(300)
  expect(await readTexts(reads)).toEqual([])
})

test('a message that took the sequence of a known one is found once the log was forgotten [R-02]', async () => {
  const leader = [createEntry(1, 'one'), createEntry(2, 'two')]
  const reads = createDivergedStream(leader, leader)
  expect(await readTexts(reads)).toEqual(['one', 'two'])
  // The replica that became the leader has stored `two` behind a message that this process does not know.
  leader.splice(1, 1, createEntry(2, 'between'), createEntry(3, 'two'))
  reads.forgetAll()
  expect(await readTexts(reads)).toEqual(['one', 'between', 'two'])
})

function createReceipt(sequence: number, place: string | number): StreamEntry {
  const header = `r ${now + 300_000} ${place} ${hashReceiver('did:key:b')}`
  return { sequence, subject: `relay-0.r.${topic}`, header, payload: Buffer.alloc(0) }
}

test('a receipt follows its message to another sequence, and hides no other message [R-02]', async () => {
  const place = `2.${now.toString(36)}.${digestText('two')}`
  const leader = [createEntry(1, 'one'), createEntry(2, 'two'), createReceipt(3, place)]
  const reads = createDivergedStream(leader, [])
  expect(await readTexts(reads)).toEqual(['one'])
  leader.splice(1, 2, createEntry(2, 'between'), createEntry(3, 'two'), createReceipt(4, place))
  reads.forgetAll()
  expect(await readTexts(reads)).toEqual(['one', 'between'])
})

test('a receipt of an earlier release names its message by the sequence', async () => {
  const reads = createDivergedStream([createEntry(1, 'one'), createEntry(2, 'two'), createReceipt(3, 2)], [])
  expect(await readTexts(reads)).toEqual(['one'])
})

test('the receipt of an expired message does not hide the same text that was published again', async () => {
  const place = `1.${(now - 400_000).toString(36)}.${digestText('one')}`
  const reads = createDivergedStream([createReceipt(2, place), createEntry(3, 'one')], [])
  expect(await readTexts(reads)).toEqual(['one'])
})

test('a log that was read from a replica with other sequences is read again from the leader [R-02]', async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`)
  const leader = texts.map((text, index) => createEntry(index + 1, text))
  const consumed = [...texts.slice(0, 16), 'message 17', 'message 16', ...texts.slice(18)].map((text, index) =>
    createEntry(index + 1, text),
  )
  const reads = createDivergedStream(leader, [], consumed)
  await expect(readTexts(reads)).rejects.toThrow('no message or another one under the sequence')
  expect(await readTexts(reads)).toEqual(texts)
})

/** Twenty messages with receipts of the reader, from a sequence on. */
function createDelivered(first: number): StreamEntry[] {
  const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`)
  return [
    ...texts.map((text, index) => createEntry(first + index, text)),
    ...texts.map((text, index) =>
      createReceipt(first + 20 + index, `${first + index}.${now.toString(36)}.${digestText(text)}`),
    ),
  ]
}

test('a new message is found although a replica has higher sequences than the leader [R-01]', async () => {
  const leader = createDelivered(1)
  const reads = createDivergedStream(leader, [], createDelivered(101))
  expect(await readTexts(reads)).toEqual([])
  leader.push(createEntry(41, 'new'))
  expect(await readTexts(reads)).toEqual(['new'])
})

test('a message that the replica of a consumer does not have yet is read from the leader [R-16]', async () => {
  const leader = createDelivered(1)
  leader.push(createEntry(41, 'new'))
  expect(await readTexts(createDivergedStream(leader, [], createDelivered(1)))).toEqual(['new'])
})

test('a topic is read from the leader if consumers fail [R-16]', async () => {
  const leader = [...createDelivered(1), createEntry(41, 'new')]
  const fail = new Error('the server of the consumer is cut off')
  expect(await readTexts(createDivergedStream(leader, [], fail))).toEqual(['new'])
})
