import { publishAll } from './publishAll.ts'
import type { ClientSession, PublishedMessage } from '../connections/clientSession.ts'
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

function parsePublishParams(session: ClientSession, params: Record<string, unknown>): PublishedMessage {
  const tag = parseTagParam(params['tag'])
  return {
    topic: parseTopicParam(params['topic']),
    message: parseMessageParam(params['message'], tag, session.limits),
    ttl: parseTtlParam(params['ttl'], session.limits),
    tag,
    attestation: parseAttestationParam(params['attestation']),
    isPrompt: params['prompt'] === true,
  }
}

/** Publishes a message. */
export const publish: Method = async (session, params) => {
  const stored = await session.publish(parsePublishParams(session, params))
  return { result: true, after: () => session.broadcast(stored) }
}

/** Publishes several messages. If one is refused, the others are still published. */
export const batchPublish: Method = async (session, params) => {
  const parseItem = (item: unknown): PublishedMessage => parsePublishParams(session, parseRecordParam(item))
  const messages = parseBatchParam(params['messages'], parseItem, batchLimits.messages)
  const { stored, error } = await publishAll(session, messages)
  const after = (): void => stored.forEach((message) => session.broadcast(message))
  return error === undefined ? { result: true, after } : { error, after }
}
