import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../kit/clock.ts'
import type { RelayRequest } from '../frames.ts'
import type { Intake } from '../intake.ts'
import { pause } from './pause.ts'

/** What the other relay delivers. */
export type Inbox = {
  /** Takes in a delivery; true once it is kept here, so that it may be acknowledged there. */
  receive(request: RelayRequest): Promise<boolean>
  close(): void
}

export type InboxParts = {
  clientId: string
  intake: Intake
  clock: Clock
  log: FastifyBaseLogger
  /** There may be room now for what could not be kept on a topic. */
  retry(topic: string): void
  /** How it waits. */
  wait?: typeof pause
}

const retryMilliseconds = 15_000
const daySeconds = 24 * 60 * 60
/** Requests of a session and their answers, which may be given a week. */
const longLived: readonly number[] = [1108, 1109]
/** A message that is delivered lives still, however long ago it was published. */
const leastSeconds = 300

const delivery = z.object({
  data: z.object({
    topic: z.string().regex(/^[0-9a-f]{64}$/),
    message: z.string().min(1),
    tag: z.int().min(0).max(0xffff_ffff),
    publishedAt: z.number(),
    attestation: z.string().nullish(),
  }),
})

/** Keeps what comes as the bridge's own publications: clients here get them, and the bridge never gets them back. */
export function createInbox({ clientId, intake, clock, log, retry, wait = pause }: InboxParts): Inbox {
  const closing = new AbortController()
  /** Topics of which something could not be kept. */
  const missed = new Set<string>()

  /** How long a message may live yet: relays do not say it of what they deliver, so the longest that is usual. */
  function timeLeft(tag: number, publishedAt: number): number {
    const age = Math.max(0, Math.floor((clock.now() - publishedAt) / 1000))
    return Math.max(leastSeconds, (longLived.includes(tag) ? 7 : 1) * daySeconds - age)
  }

  function miss(topic: string, reason: string): false {
    if (missed.has(topic)) return false
    missed.add(topic)
    log.warn({ topic: topic.slice(0, 6), reason }, 'a message from the upstream relay could not be kept yet')
    void wait(retryMilliseconds, closing.signal).then(() => {
      missed.delete(topic)
      if (!closing.signal.aborted) retry(topic)
    })
    return false
  }

  return {
    async receive({ method, params }) {
      const { success, data: read } = delivery.safeParse(params)
      // What is no delivery would be none the next time either.
      if (!success || !method.endsWith('_subscription')) return true
      const { topic, message, tag, publishedAt, attestation } = read.data
      // Once one is missing, those after it wait too: they are going to come in their order.
      if (missed.has(topic)) return false
      try {
        const ttl = timeLeft(tag, publishedAt)
        const publication = {
          topic,
          message,
          ttl,
          tag,
          attestation: attestation ?? '',
          origin: '',
          publisher: clientId,
        }
        return (await intake(publication)) === 'full' ? miss(topic, 'the mailbox is full') : true
      } catch (error) {
        return miss(topic, error instanceof Error ? error.message : String(error))
      }
    },
    close: () => closing.abort(),
  }
}
