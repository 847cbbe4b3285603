import type { NewRelayMessage } from '../mailbox/mailbox.ts'
import type { ClientSession } from '../connections/clientSession.ts'
import type { Method } from './method.ts'
import {
  batchLimits,
  parseAttestationParam,
  parseBatchParam,
  parseMessageParam,
  parseRecordParam,
  parseTagParam,
  parseTopicParam,
  parseTtlParam,
} from './params.ts'

/** A message as a client sends it. The publisher and its origin are known from the connection. */
type PublishParams = Omit<NewRelayMessage, 'publisher' | 'origin'>

function parsePublishParams(session: ClientSession, params: Record<string, unknown>): PublishParams {
  const tag = parseTagParam(params['tag'])
  return {
    topic: parseTopicParam(params['topic']),
    message: parseMessageParam(params['message'], tag, session.limits),
    ttl: parseTtlParam(params['ttl'], session.limits),
    tag,
    attestation: parseAttestationParam(params['attestation']),
  }
}

/** Publishes a message. */
export const publish: Method = async (session, params) => {
  const stored = await session.publish(parsePublishParams(session, params))
  return { result: true, after: () => session.broadcast(stored) }
}

/** Publishes several messages. If it fails, some of them may have been stored. */
export const batchPublish: Method = async (session, params) => {
  const parseItem = (item: unknown): PublishParams => parsePublishParams(session, parseRecordParam(item))
  const messages = parseBatchParam(params['messages'], parseItem, batchLimits.messages)
  const stored = await Promise.all(messages.map((published) => session.publish(published)))
  return { result: true, after: () => stored.forEach((message) => session.broadcast(message)) }
}
