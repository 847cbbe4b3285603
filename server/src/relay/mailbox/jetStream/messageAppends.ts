import { setTimeout as sleep } from 'node:timers/promises'
import { BatchFullError } from '../../../kit/runtime/batch.ts'
import { StreamRefusedError } from '../../../kit/nats/natsStream.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { MailboxLimits } from '../../limits/admitMessages.ts'
import { hashReceiver } from '../acknowledgements.ts'
import type { NewRelayMessage, StoreResult } from '../mailbox.ts'
import { digestText, formatMessageHeader, formatPayload, type MessageHeader } from './messageHeader.ts'
import type { Partitions } from './openPartitions.ts'
import type { PublisherQuotas } from './publisherQuotas.ts'
import type { TopicLogs } from './topicLogs.ts'
import { addMessage, forgetExpired, type TopicState } from './topicState.ts'

/** Stores messages in the logs of their topics. */
export type MessageAppends = {
  store(message: NewRelayMessage): Promise<StoreResult>
  /** Resolves when everything added so far is done. */
  idle(): Promise<void>
}

export type MessageAppendsOptions = {
  partitions: Pick<Partitions, 'ofTopic'>
  logs: TopicLogs
  quotas: PublisherQuotas
  clock: Clock
  limits: MailboxLimits
  /** The bridge publishes for many clients, so the limit per publisher does not apply to it. */
  bridgeClientId: string
  isConnected(): boolean
}

/** Messages that wait, and their bytes. Beyond them, publishes are refused. */
const queueLimits = { messages: 20_000, bytes: 48 * 1024 * 1024 } as const
/** Bytes of a message in memory in addition to its text. */
const itemBytes = 1_000
/** A stream has a new leader within seconds. Until then, appends are repeated. */
const retries = { totalMs: 10_000, pauseMs: 100 } as const
/** A topic may have this many times more unexpired messages than undelivered ones: a process reads all of their headers. */
const storedPerUndelivered = 10

/**
 * Creates the appends of a mailbox. An append names the last message of its topic that this process knows, and fails if
 * another process has appended one in the meantime. So each process knows all texts of a topic when it appends, and
 * duplicates and limits are exact. The messages of one topic are appended one after the other, those of several topics
 * concurrently.
 */
export function createMessageAppends(options: MessageAppendsOptions): MessageAppends {
  /** The last append of each topic. */
  const lanes = new Map<string, Promise<unknown>>()
  const storeNow = createStore(options)
  let waiting = 0
  let waitingBytes = 0

  return {
    store(message) {
      const { topic } = message
      const bytes = Buffer.byteLength(message.message)
      const queued = bytes + Buffer.byteLength(message.attestation) + itemBytes
      if (waiting >= queueLimits.messages || (waiting > 0 && waitingBytes + queued > queueLimits.bytes)) {
        return Promise.reject(new BatchFullError('Too much waits already.'))
      }
      waiting += 1
      waitingBytes += queued
      const previous = lanes.get(topic) ?? Promise.resolve()
      const result = previous.then(() => storeNow(message, bytes))
      const settled = result.then(ignore, ignore).then(() => {
        waiting -= 1
        waitingBytes -= queued
        if (lanes.get(topic) === settled) lanes.delete(topic)
      })
      lanes.set(topic, settled)
      return result
    },
    async idle() {
      while (lanes.size > 0) await Promise.all(lanes.values())
    },
  }
}

function ignore(): void {}

/** A message and the fields that the log needs. */
type Candidate = { message: NewRelayMessage; header: MessageHeader }

/** Creates a function that stores one message, and repeats it until the cluster has accepted or refused it. */
function createStore(
  options: MessageAppendsOptions,
): (message: NewRelayMessage, bytes: number) => Promise<StoreResult> {
  const { clock, isConnected } = options
  const attempt = createAttempt(options)

  return async (message, bytes) => {
    const now = clock.now()
    const candidate: Candidate = {
      message,
      header: {
        publishedAt: now,
        expiresAt: now + message.ttl * 1_000,
        bytes,
        digest: digestText(message.message),
        publisher: hashReceiver(message.publisher),
      },
    }
    const end = performance.now() + retries.totalMs
    let mayBeStored = false
    for (;;) {
      try {
        if (!isConnected()) throw new Error('not connected to NATS')
        const result = await attempt(candidate, mayBeStored)
        if (result !== 'conflict') return result
        if (performance.now() > end) throw new Error('other processes append to the topic all the time')
      } catch (error) {
        if (error instanceof StreamRefusedError || performance.now() > end) throw error
        mayBeStored = true
        await sleep(retries.pauseMs)
      }
    }
  }
}

/** Creates a function that decides about a message with the known state of its topic, and appends it. */
function createAttempt({
  partitions,
  logs,
  quotas,
  clock,
  limits,
  bridgeClientId,
}: MessageAppendsOptions): (candidate: Candidate, mayBeStored: boolean) => Promise<StoreResult | 'conflict'> {
  async function isFull(topic: string, state: TopicState, bytes: number): Promise<boolean> {
    const most = Math.min(state.forgetAt, limits.messages * storedPerUndelivered)
    if (state.messages.size >= most || isBeyond(state, bytes, limits)) forgetExpired(state, clock.now())
    if (state.messages.size >= limits.messages * storedPerUndelivered) return true
    if (!isBeyond(state, bytes, limits)) return false
    await logs.refreshReceipts(topic, state)
    return isBeyond(state, bytes, limits)
  }

  return async ({ message, header }, mayBeStored) => {
    const { topic } = message
    const { publisher, bytes, expiresAt } = header
    const partition = partitions.ofTopic(topic)
    // A topic that this process does not know is usually new.
    const state = mayBeStored ? await logs.refresh(topic) : (logs.known(topic) ?? logs.create(topic))
    const sequence = state.digests.get(header.digest) ?? 0
    const twin = state.messages.get(sequence)
    if (mayBeStored && twin?.publisher === publisher && twin.publishedAt === header.publishedAt) {
      return createStoredResult(message, header, partition.toSequence(sequence))
    }
    if (twin !== undefined && twin.expiresAt > clock.now()) return { outcome: 'duplicate' }
    if (await isFull(topic, state, bytes)) return { outcome: 'full' }
    const isLimited = message.publisher !== bridgeClientId
    if (isLimited && !(await quotas.reserve(publisher, bytes, expiresAt))) return { outcome: 'full' }
    const last = state.lastMessage
    const appended = await partition.stream
      .append({
        subject: partition.messageSubject(topic),
        header: formatMessageHeader(header),
        payload: formatPayload(message),
        expectedLast: last,
      })
      .catch((error: unknown) => {
        if (isLimited) quotas.release(publisher, bytes, expiresAt)
        throw error
      })
    if (appended.outcome === 'stored') {
      addMessage(state, appended.sequence, header)
      logs.keep(topic, state)
      const stored = createStoredResult(message, header, partition.toSequence(appended.sequence))
      return { ...stored, message: { ...stored.message, previous: last === 0 ? 0 : partition.toSequence(last) } }
    }
    if (isLimited) quotas.release(publisher, bytes, expiresAt)
    return resolveConflict(logs, topic, last)
  }
}

/** Reads the messages that another process has appended after the last known one. */
async function resolveConflict(logs: TopicLogs, topic: string, last: number): Promise<'conflict'> {
  const state = await logs.refresh(topic)
  // The last message that was known is deleted, so the state must be read from the start.
  if (state.lastMessage === last) logs.forget(topic)
  return 'conflict'
}

function isBeyond({ undelivered }: TopicState, bytes: number, limits: MailboxLimits): boolean {
  return undelivered.messages + 1 > limits.messages || undelivered.bytes + bytes > limits.bytes
}

function createStoredResult(
  message: NewRelayMessage,
  header: MessageHeader,
  sequence: number,
): Extract<StoreResult, { outcome: 'stored' }> {
  const { ttl: _ttl, ...sent } = message
  const { publishedAt, expiresAt } = header
  return { outcome: 'stored', message: { ...sent, sequence, publishedAt, expiresAt } }
}
