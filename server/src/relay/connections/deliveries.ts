import type { Clock } from '../../kit/runtime/clock.ts'
import type { Receipt, RelayMessage } from '../mailbox/mailbox.ts'
import type { RelayMetrics } from '../relayMetrics.ts'
import type { SocketWriter } from './socketWriter.ts'

/** Names a delivered message. */
export type Delivered = Readonly<Required<Receipt>>

/** The messages that a client was sent and has not acknowledged. */
export type Deliveries = {
  /** Sends a message; returns false if the client can't take it now. */
  push(subscriptionId: string, message: RelayMessage): boolean
  /** Forgets a delivery that was acknowledged, and returns its message. */
  takeMessage(id: number): Delivered | undefined
  /**
   * Counts a response of the client. False if it has sent as many as there were deliveries: a late response looks like a repeated
   * one.
   */
  countResponse(): boolean
  /**
   * Forgets and returns the deliveries whose acknowledgement is overdue, so that they are sent again: their frame, or the
   * acknowledgement, may have been lost without breaking the connection. The time allowed doubles with each repetition.
   */
  takeOverdue(): readonly Delivered[]
  /** Forgets the deliveries of topics, whose sequences may name other messages now. Their acknowledgements have no effect. */
  forgetSent(topics: ReadonlySet<string>): void
}

export type DeliveriesDependencies = {
  writer: SocketWriter
  metrics: Pick<RelayMetrics, 'countDelivery'>
  clock: Clock
  /** Returns the attestation of a message's origin for the client. */
  attest(message: RelayMessage): string
  /** Called when there is room for more deliveries. */
  onRoom(): void
}

/** Messages that a client was sent and has not acknowledged. More wait in the mailbox until it does. */
const maxUnacknowledged = 2_000
/** The time allowed for the acknowledgement of a first delivery. Clients wait 30 seconds for the response to a ping. */
const acknowledgementMs = 10_000

/** Creates the deliveries of one connection. */
export function createDeliveries({ writer, metrics, clock, attest, onRoom }: DeliveriesDependencies): Deliveries {
  /** Most connections are idle, and an empty map takes 200 bytes. */
  let unacknowledged: Map<number, Delivered & { readonly sentAt: number }> | undefined
  /** The repetitions of messages that are still not acknowledged. */
  let repetitions: Map<string, number> | undefined
  let lastId = 0
  let responses = 0

  const countRepetitions = (message: Delivered): number =>
    repetitions === undefined ? 0 : (repetitions.get(placeKey(message)) ?? 0)

  function countRepetition(message: Delivered, count: number): void {
    repetitions ??= new Map()
    rememberCount(repetitions, placeKey(message), count)
  }

  return {
    push(subscriptionId, message) {
      const id = lastId + 1
      if (unacknowledged !== undefined && unacknowledged.size >= maxUnacknowledged) return false
      if (!writer.trySendMessage(() => formatDelivery(id, subscriptionId, message, attest(message)))) return false
      lastId = id
      metrics.countDelivery()
      unacknowledged ??= new Map()
      const { topic, sequence, publishedAt } = message
      unacknowledged.set(id, { topic, sequence, publishedAt, sentAt: clock.now() })
      return true
    },
    takeMessage(id) {
      const delivered = unacknowledged?.get(id)
      if (unacknowledged === undefined || delivered === undefined) return undefined
      unacknowledged.delete(id)
      if (repetitions !== undefined && repetitions.size > 0) repetitions.delete(placeKey(delivered))
      // With some room, so that not each acknowledgement makes the relay read the mailbox.
      if (unacknowledged.size === maxUnacknowledged / 2) onRoom()
      return delivered
    },
    countResponse() {
      if (responses >= lastId) return false
      responses += 1
      return true
    },
    forgetSent(topics) {
      for (const [id, { topic }] of unacknowledged ?? []) if (topics.has(topic)) unacknowledged?.delete(id)
    },
    takeOverdue() {
      const overdue: Delivered[] = []
      for (const [id, delivered] of unacknowledged ?? []) {
        const repeated = countRepetitions(delivered)
        if (clock.now() - delivered.sentAt <= acknowledgementMs * 2 ** repeated) continue
        unacknowledged?.delete(id)
        countRepetition(delivered, repeated + 1)
        overdue.push(delivered)
      }
      return overdue
    },
  }
}

function rememberCount(counts: Map<string, number>, key: string, count: number): void {
  counts.delete(key)
  counts.set(key, count)
  // Messages that expire without an acknowledgement would stay here.
  const [oldest] = counts.keys()
  if (counts.size > maxUnacknowledged && oldest !== undefined) counts.delete(oldest)
}

function placeKey({ topic, sequence }: Delivered): string {
  return `${topic} ${sequence}`
}

/** Formats the frame of a delivery. Its ids and topics are hex digits, so only its texts may need escapes. */
function formatDelivery(id: number, subscriptionId: string, stored: RelayMessage, attestation: string): string {
  const { topic, message, publishedAt, tag } = stored
  const texts = `"message":${quoteText(message)},"publishedAt":${publishedAt},"tag":${tag},"attestation":${quoteText(attestation)}`
  const params = `{"id":"${subscriptionId}","data":{"topic":"${topic}",${texts}}}`
  return `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":${params}}`
}

/** Sealed messages are base64, and looking for other characters takes half the time of looking for each escape. */
function quoteText(text: string): string {
  return /^[\w+/=.-]*$/.test(text) ? `"${text}"` : JSON.stringify(text)
}
