import type { ClientSession } from '../connections/clientSession.ts'
import { formatMessage, type Method, type MethodResponse } from './method.ts'
import { parseBatchParam, parseTopicParam } from './params.ts'

/** Fetches the undelivered messages of a topic without a subscription. */
export const fetchMessages: Method = (session, params) => fetchTopics(session, [parseTopicParam(params['topic'])])

/** Fetches the undelivered messages of several topics. */
export const batchFetchMessages: Method = (session, params) => {
  const topics = parseBatchParam(params['topics'], parseTopicParam)
  session.checkItems(topics.length)
  return fetchTopics(session, topics)
}

async function fetchTopics(session: ClientSession, topics: readonly string[]): Promise<MethodResponse> {
  const { messages, hasMore } = await session.fetchUndelivered(topics)
  return {
    result: { messages: messages.map((message) => formatMessage(session, message)), hasMore },
    // Places only: a client with many unconfirmed responses must not keep the texts in memory.
    receipts: messages.map(({ topic, sequence, publishedAt }) => ({ topic, sequence, publishedAt })),
  }
}
