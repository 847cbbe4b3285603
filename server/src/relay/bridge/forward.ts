import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../kit/clock.ts'
import { RelayError } from '../errors.ts'
import type { StoredMessage } from '../mailbox.ts'
import type { Line } from './line.ts'

/**
 * What became of a message on its way up: `done` with it for good, `lost` with the connection, or to be tried `later`
 * because there is no room for it now.
 */
export type Outcome = 'done' | 'lost' | 'later'

export type ForwardParts = { line: Pick<Line, 'request'>; clock: Clock; log: FastifyBaseLogger }

/** What is not going to be taken however often it is sent. */
const finalCodes: readonly number[] = [-32600, -32601, -32602]
const finalTags: readonly string[] = ['TtlTooShort', 'TtlTooLong', 'InvalidTtl', 'PayloadSizeExceeded']
/** With these the Sign protocol asks for a push notification; the mailbox does not keep the wish. */
const promptTags: readonly number[] = [1100, 1108, 1110, 1116]

/** Publishes a message at the other relay, with the time that it has left. */
export async function forward(message: StoredMessage, { line, clock, log }: ForwardParts): Promise<Outcome> {
  const { topic, tag, attestation } = message
  const ttl = Math.ceil((message.expiresAt - clock.now()) / 1000)
  if (ttl <= 0) return 'done'
  const extras = { ...(promptTags.includes(tag) && { prompt: true }), ...(attestation !== '' && { attestation }) }
  try {
    await line.request('irn_publish', { topic, message: message.message, ttl, tag, ...extras })
    return 'done'
  } catch (error) {
    if (!(error instanceof RelayError)) return 'lost'
    const isFinal = finalCodes.includes(error.code) || finalTags.includes(error.data ?? '')
    log.warn(
      { topic: topic.slice(0, 6), tag, code: error.code, refusal: error.data },
      isFinal ? 'the upstream relay does not take a message' : 'the upstream relay has no room for a message now',
    )
    return isFinal ? 'done' : 'later'
  }
}
