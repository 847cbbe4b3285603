import type { Method } from './method.ts'
import { readBatch, readRecord, readTopic } from './read.ts'

/** Listens on a topic; what waits there follows the answer. */
export const subscribe: Method = (session, params) => {
  const topic = readTopic(params['topic'])
  return { result: session.subscribe(topic), after: () => session.deliverWaiting([topic]) }
}

/** Listens on several topics, and answers their ids in the same order. */
export const batchSubscribe: Method = (session, params) => {
  const topics = readBatch(params['topics'], readTopic)
  const result = topics.map((topic) => session.subscribe(topic))
  return { result, after: () => session.deliverWaiting(topics) }
}

/** The same, with an object per topic, as some clients ask. */
export const batchSubscribeBlocking: Method = (session, params) => {
  const topics = readBatch(params['topics'], readTopic)
  const result = topics.map((topic) => ({ id: session.subscribe(topic) }))
  return { result, after: () => session.deliverWaiting(topics) }
}

/** Stops listening. The id is not looked at: clients send one of their own making. */
export const unsubscribe: Method = (session, params) => {
  session.unsubscribe(readTopic(params['topic']))
  return { result: true }
}

/** Stops listening on several topics. */
export const batchUnsubscribe: Method = (session, params) => {
  const topics = readBatch(params['subscriptions'], (item) => readTopic(readRecord(item)['topic']))
  for (const topic of topics) session.unsubscribe(topic)
  return { result: true }
}
