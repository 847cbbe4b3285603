import { formatMessage, type Method } from './method.ts'
import { parseBatchParam, parseTopicParam } from './params.ts'

/** Fetches the undelivered messages of a topic without a subscription. */
export const fetchMessages: Method = async (session, params) => {
  const { messages, hasMore } = await session.fetchUndelivered([parseTopicParam(params['topic'])])
  return { result: { messages: messages.map((message) => formatMessage(session, message)), hasMore } }
}

/** Fetches the undelivered messages of several topics. */
export const batchFetchMessages: Method = async (session, params) => {
  const { messages, hasMore } = await session.fetchUndelivered(parseBatchParam(params['topics'], parseTopicParam))
  return { result: { messages: messages.map((message) => formatMessage(session, message)), hasMore } }
}
