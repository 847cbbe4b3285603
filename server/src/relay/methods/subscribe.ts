import { invalidPayload, RelayError } from '../errors.ts'
import type { Session } from '../session.ts'
import type { Method } from './method.ts'
import { partOf } from './part.ts'
import { readBatch, readRecord, readTopic } from './read.ts'

/** Listens on a topic; what waits there follows the answer. */
export const subscribe: Method = (session, params) => {
  const topic = readTopic(params['topic'])
  return { result: session.subscribe(topic), after: () => session.deliverWaiting([topic]) }
}

/** Listens on several topics or on none, and answers their ids in the same order. */
export const batchSubscribe: Method = (session, params) => {
  const topics = readBatch(params['topics'], readTopic)
  const fresh = topics.filter((topic) => !session.isSubscribed(topic))
  try {
    const result = topics.map((topic) => session.subscribe(topic))
    return { result, after: () => session.deliverWaiting(topics) }
  } catch (error) {
    for (const topic of fresh) session.unsubscribe(topic)
    throw error
  }
}

/** Listens on those of several topics that can be listened on, and tells of each how it went. */
export const batchSubscribeBlocking: Method = (session, params) => {
  const items = readBatch(params['topics'], (item) => item)
  const result = items.map((item) => trySubscribe(session, item))
  const topics = items.filter((item) => typeof item === 'string').filter((topic) => session.isSubscribed(topic))
  return { result, after: () => session.deliverWaiting(topics) }
}

function trySubscribe(session: Session, item: unknown): object {
  try {
    return { id: session.subscribe(readTopic(item)) }
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    const { code, message, data } = error
    return { error: { code, message, data } }
  }
}

/** Makes a topic known, and listens on it. */
export const createTopic: Method = async (session, params) => {
  const topic = readTopic(params['topic'])
  await partOf('CreateTopicFailed', () => session.subscribe(topic))
  return { result: true, after: () => session.deliverWaiting([topic]) }
}

/** Stops listening. Which id it is does not matter: clients send one of their own making. */
export const unsubscribe: Method = (session, params) => {
  session.unsubscribe(readSubscription(params))
  return { result: true }
}

/** Stops listening on several topics. */
export const batchUnsubscribe: Method = (session, params) => {
  const topics = readBatch(params['subscriptions'], (item) => readSubscription(readRecord(item)))
  for (const topic of topics) session.unsubscribe(topic)
  return { result: true }
}

function readSubscription({ topic, id }: Record<string, unknown>): string {
  if (id === undefined || id === null || typeof id === 'string') return readTopic(topic)
  throw invalidPayload('InvalidSubscriptionId', 'the id of a subscription is a text')
}
