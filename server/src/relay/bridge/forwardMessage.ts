import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../kit/runtime/clock.ts'
import { RelayError } from '../errors.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import { promptTags } from '../promptTags.ts'
import type { UpstreamLink } from './upstreamLink.ts'

/**
 * The result of forwarding a message: `done`, `lost` with the connection, or to be retried `later` because the upstream
 * relay has no room at the moment.
 */
export type ForwardResult = 'done' | 'lost' | 'later'

export type ForwardDependencies = { link: Pick<UpstreamLink, 'request'>; clock: Clock; log: FastifyBaseLogger }

/** Errors that a retry does not change. */
const finalCodes: readonly number[] = [-32600, -32601, -32602]
const finalTags: readonly string[] = ['TtlTooShort', 'TtlTooLong', 'InvalidTtl', 'PayloadSizeExceeded']

/** Publishes a message at the upstream relay, with its remaining TTL. */
export async function forwardMessage(
  message: RelayMessage,
  { link, clock, log }: ForwardDependencies,
): Promise<ForwardResult> {
  const { topic, tag, attestation } = message
  const ttl = Math.ceil((message.expiresAt - clock.now()) / 1000)
  if (ttl <= 0) return 'done'
  const extras = { ...(promptTags.includes(tag) && { prompt: true }), ...(attestation !== '' && { attestation }) }
  try {
    await link.request('irn_publish', { topic, message: message.message, ttl, tag, ...extras })
    return 'done'
  } catch (error) {
    if (!(error instanceof RelayError)) return 'lost'
    const isFinal = finalCodes.includes(error.code) || finalTags.includes(error.data ?? '')
    log.warn(
      { topic: topic.slice(0, 6), tag, code: error.code, refusal: error.data },
      isFinal ? 'the upstream relay refuses a message' : 'the upstream relay has no room for a message now',
    )
    return isFinal ? 'done' : 'later'
  }
}
