import type { FastifyBaseLogger } from 'fastify'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { RelayRequest } from '../connections/parseFrame.ts'
import type { IngestMessage } from '../mailbox/ingestMessage.ts'
import { pause } from '../../kit/runtime/pause.ts'

/** Receives the deliveries of the upstream relay. */
export type Inbox = {
  /** Receives a delivery. Resolves to true once it is stored here and can be acknowledged upstream. */
  receive(request: RelayRequest): Promise<boolean>
  close(): void
}

export type InboxDependencies = {
  clientId: string
  ingest: IngestMessage
  clock: Clock
  log: FastifyBaseLogger
  /** Requests the messages of a topic that could not be stored. */
  retry(topic: string): void
  wait?: typeof pause
}

const retryMilliseconds = 15_000
const daySeconds = 24 * 60 * 60
/** Session requests and responses may have a TTL of a week. */
const longLived: readonly number[] = [1108, 1109]
/** The shortest TTL: a delivered message has not expired, no matter how long ago it was published. */
const minTtlSeconds = 300

const deliverySchema = Type.Object({
  data: Type.Object({
    topic: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    message: Type.String({ minLength: 1 }),
    tag: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
    publishedAt: Type.Number(),
    attestation: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
})

/** Stores deliveries as messages of the bridge: local clients get them, and the bridge never gets them back. */
export function createInbox({ clientId, ingest, clock, log, retry, wait = pause }: InboxDependencies): Inbox {
  const closing = new AbortController()
  /** Topics with a message that could not be stored. */
  const missed = new Set<string>()

  /** Deliveries do not contain a TTL, so this is the longest usual one. */
  function remainingTtl(tag: number, publishedAt: number): number {
    const age = Math.max(0, Math.floor((clock.now() - publishedAt) / 1000))
    return Math.max(minTtlSeconds, (longLived.includes(tag) ? 7 : 1) * daySeconds - age)
  }

  function miss(topic: string, reason: string): false {
    if (missed.has(topic)) return false
    missed.add(topic)
    log.warn({ topic: topic.slice(0, 6), reason }, 'a message from the upstream relay could not be stored yet')
    void wait(retryMilliseconds, closing.signal).then(() => {
      missed.delete(topic)
      if (!closing.signal.aborted) retry(topic)
    })
    return false
  }

  return {
    async receive({ method, params }) {
      // A request that is not a delivery would not be one the next time either.
      if (!method.endsWith('_subscription') || !Value.Check(deliverySchema, params)) return true
      const { topic, message, tag, publishedAt, attestation } = params.data
      // After a missing message, later ones wait too, to keep their order.
      if (missed.has(topic)) return false
      try {
        const ttl = remainingTtl(tag, publishedAt)
        const published = {
          topic,
          message,
          ttl,
          tag,
          attestation: attestation ?? '',
          origin: '',
          publisher: clientId,
        }
        return (await ingest(published)) === 'full' ? miss(topic, 'the mailbox is full') : true
      } catch (error) {
        return miss(topic, error instanceof Error ? error.message : String(error))
      }
    },
    close: () => closing.abort(),
  }
}
