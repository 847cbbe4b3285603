import { writeMessage, type Method } from './method.ts'
import { readBatch, readTopic } from './read.ts'

/** What waits on a topic, without listening on it. */
export const fetchMessages: Method = async (session, params) => {
  const { messages, hasMore } = await session.fetch([readTopic(params['topic'])])
  return { result: { messages: messages.map((message) => writeMessage(session, message)), hasMore } }
}

/** What waits on several topics. */
export const batchFetchMessages: Method = async (session, params) => {
  const { messages, hasMore } = await session.fetch(readBatch(params['topics'], readTopic))
  return { result: { messages: messages.map((message) => writeMessage(session, message)), hasMore } }
}
