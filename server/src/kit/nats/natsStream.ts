import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream'
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { getField } from '../runtime/getField.ts'
import { agreesWithLeader } from './agreesWithLeader.ts'
import { collectEntries, type ConsumedMessage } from './collectEntries.ts'

/** A message of a stream. `header` is our only header; `payload` is empty if only headers were read. */
export type StreamEntry = { sequence: number; subject: string; header: string; payload: Buffer }

export type NewStreamEntry = {
  subject: string
  /** Printable ASCII. */
  header: string
  payload?: string
  /** The append succeeds only if this is the sequence of the last message on its subject; 0 if it must have none. */
  expectedLast?: number
}

/** The result of an append: the sequence, or a conflict with another writer of the subject. */
export type AppendResult = { outcome: 'stored'; sequence: number } | { outcome: 'conflict' }

/** A stream of JetStream. Methods reject while its cluster can't respond. */
export type NatsStream = {
  /** Appends a message. Resolves when a majority of the replicas has it. */
  append(entry: NewStreamEntry): Promise<AppendResult>
  /** Reads the first message of a subject from a sequence on. Sees every append that resolved before. */
  readNext(subject: string, from: number): Promise<StreamEntry | undefined>
  /**
   * Reads a message that is known to exist, or to have existed. Any replica can respond; the leader responds if that
   * replica lacks the message or has another one: a replica that was killed may number its messages differently (seen
   * with version 2.9.10).
   *
   * @param isExpected false for another message. The result may be one nevertheless: the leader's
   */
  read(sequence: number, isExpected: (entry: StreamEntry) => boolean): Promise<StreamEntry | undefined>
  /**
   * Reads the headers of messages from a sequence on, in their order. Any replica can respond, also one that lacks the last
   * messages. The read is repeated until a replica responds that agrees with the leader. Rejects if a message was lost on the
   * way, or if no replica agrees.
   */
  readHeaders(subject: string, from: number, limit: number): Promise<readonly StreamEntry[]>
  /** The sequences of the oldest message and of the last one ever appended, and the server that leads the stream in a cluster. */
  bounds(): Promise<{ first: number; last: number; leader: string | undefined }>
  delete(sequence: number): Promise<void>
  /** Deletes all messages before a sequence. */
  deleteBefore(sequence: number): Promise<void>
}

export type NatsStreamOptions = {
  connection: NatsConnection
  manager: JetStreamManager
  name: string
  /** Reads of streams with several replicas ask their leader, because another replica may be behind. */
  isReplicated: boolean
}

/** The stream refused a message, for example because it is full. A retry would not help. */
export class StreamRefusedError extends Error {}

const headerName = 'Latchkey'
const expectedName = 'Nats-Expected-Last-Subject-Sequence'
/** A stream that lost its leader elects another within seconds; callers repeat failed requests. */
const timeoutMs = 2_000
/** The most time for a fetch. It ends when all messages have arrived; a busy server misses its heartbeats, which are half of it. */
const fetchMs = 3_000
/** The cluster places each consumer on any replica. After kills, two of three may differ from the leader. */
const readAttempts = 8
const consumerThresholdNs = 10_000_000_000
const wrongLastSequence = 10_071
/** The file store refused the message, because it has reached its limit of bytes. */
const storeFailed = 10_077

/** Opens the management of the streams of a connection. */
export async function openStreamManager(connection: NatsConnection): Promise<JetStreamManager> {
  return jetstreamManager(connection, { checkAPI: false, timeout: 5_000 })
}

/** Opens an existing stream. */
export function openNatsStream({ connection, manager, name, isReplicated }: NatsStreamOptions): NatsStream {
  const readDirect = async (query: object): Promise<StreamEntry | undefined> => {
    const response = await connection.request(`$JS.API.DIRECT.GET.${name}`, JSON.stringify(query), {
      timeout: timeoutMs,
    })
    return toDirectEntry(response)
  }
  const readFromLeader = async (query: object): Promise<StreamEntry | undefined> => {
    const subject = `$JS.API.STREAM.MSG.GET.${name}`
    return toLeaderEntry(await connection.request(subject, JSON.stringify(query), { timeout: timeoutMs }))
  }

  const readBounds = async (): Promise<{ first: number; last: number; leader: string | undefined }> => {
    const { state, cluster } = await manager.streams.info(name)
    return { first: state.first_seq, last: state.last_seq, leader: cluster?.leader }
  }
  const leader = {
    read: (sequence: number) => readFromLeader({ seq: sequence }),
    last: async () => (await readBounds()).last,
  }

  return {
    append: (entry) => append(connection, entry),
    readNext(subject, from) {
      const query = { seq: Math.max(from, 1), next_by_subj: subject }
      return isReplicated ? readFromLeader(query) : readDirect(query)
    },
    async read(sequence, isExpected) {
      const found = await readDirect({ seq: sequence })
      const isTrusted = !isReplicated || (found !== undefined && isExpected(found))
      return isTrusted ? found : leader.read(sequence)
    },
    async readHeaders(subject, from, limit) {
      for (let attempt = 0; attempt < readAttempts; attempt += 1) {
        const entries = await readHeaders({ connection, manager, name }, { subject, from, limit })
        if (!isReplicated || (await agreesWithLeader(entries, leader))) return entries
      }
      throw new Error('every replica that responded has other entries than the leader')
    },
    bounds: readBounds,
    async delete(sequence) {
      await manager.streams.deleteMessage(name, sequence, false).catch(ignoreMissing)
    },
    async deleteBefore(sequence) {
      await manager.streams.purge(name, { seq: sequence })
    },
  }
}

async function append(
  connection: NatsConnection,
  { subject, header, payload = '', expectedLast }: NewStreamEntry,
): Promise<AppendResult> {
  const sent = headers()
  sent.set(headerName, header)
  if (expectedLast !== undefined) sent.set(expectedName, `${expectedLast}`)
  const response = await connection.request(subject, payload, { headers: sent, timeout: timeoutMs })
  const body: unknown = JSON.parse(response.string())
  const code = getField(body, 'error', 'err_code')
  if (code === wrongLastSequence) return { outcome: 'conflict' }
  const sequence = getField(body, 'seq')
  // A refusal has the sequence 0 in addition to its error.
  if (typeof sequence === 'number' && sequence > 0) return { outcome: 'stored', sequence }
  const reason = String(getField(body, 'error', 'description'))
  // 503 means that the stream has no leader at the moment, or that it is full.
  if (getField(body, 'error', 'code') === 503 && code !== storeFailed)
    throw new Error(`the stream did not take a message: ${reason}`)
  throw new StreamRefusedError(`the stream refused a message: ${reason}`)
}

function toDirectEntry(response: Msg): StreamEntry | undefined {
  const { headers: received } = response
  const sequence = Number(received?.get('Nats-Sequence') ?? '')
  if (received !== undefined && sequence > 0) {
    const subject = received.get('Nats-Subject')
    return { sequence, subject, header: received.get(headerName), payload: Buffer.from(response.data) }
  }
  if (received?.code === 404) return undefined
  throw new Error(`the stream could not be read: ${received?.description ?? 'no headers'}`)
}

function toLeaderEntry(response: Msg): StreamEntry | undefined {
  const body: unknown = JSON.parse(response.string())
  if (getField(body, 'error', 'code') === 404) return undefined
  const message = getField(body, 'message')
  const sequence = getField(message, 'seq')
  if (typeof sequence !== 'number') {
    throw new Error(`the stream could not be read: ${String(getField(body, 'error', 'description'))}`)
  }
  const lines = fromBase64(getField(message, 'hdrs')).toString('latin1').split('\r\n')
  const line = lines.find((each) => each.startsWith(`${headerName}:`)) ?? ''
  return {
    sequence,
    subject: String(getField(message, 'subject')),
    header: line.slice(headerName.length + 1).trim(),
    payload: fromBase64(getField(message, 'data')),
  }
}

function fromBase64(value: unknown): Buffer {
  return Buffer.from(typeof value === 'string' ? value : '', 'base64')
}

/** Reads with a consumer that exists for this read only. */
async function readHeaders(
  { connection, manager, name }: Pick<NatsStreamOptions, 'connection' | 'manager' | 'name'>,
  { subject, from, limit }: { subject: string; from: number; limit: number },
): Promise<readonly StreamEntry[]> {
  const info = await manager.consumers.add(name, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(from, 1),
    filter_subject: subject,
    headers_only: true,
    inactive_threshold: consumerThresholdNs,
    mem_storage: true,
    num_replicas: 1,
  })
  try {
    // More than there are if a message is appended at this moment.
    const count = Math.min(info.num_pending, limit)
    if (count === 0) return []
    const consumer = await jetstream(connection).consumers.get(name, info.name)
    const messages = await consumer.fetch({ max_messages: count, expires: fetchMs })
    const { entries, isComplete } = await collectEntries(mapToEntries(messages), count)
    if (isComplete) return entries
    // The consumer may have counted a message twice that was appended when it was created.
    const { delivered, num_pending } = await manager.consumers.info(name, info.name)
    if (num_pending > 0 || delivered.consumer_seq > entries.length) {
      throw new Error('the stream delivered fewer messages than it has')
    }
    return entries
  } finally {
    void manager.consumers.delete(name, info.name).catch(() => undefined)
  }
}

async function* mapToEntries(messages: AsyncIterable<JsMsg>): AsyncGenerator<ConsumedMessage<StreamEntry>> {
  for await (const { info, seq, subject, headers: received } of messages) {
    const header = received?.get(headerName) ?? ''
    yield {
      place: info.deliverySequence,
      pending: info.pending,
      entry: { sequence: seq, subject, header, payload: Buffer.alloc(0) },
    }
  }
}

/** Another process may have deleted it. */
function ignoreMissing(error: unknown): void {
  const code = getField(error, 'code')
  if (code !== 10_043 && code !== 10_057 && code !== 10_037) throw error
}
