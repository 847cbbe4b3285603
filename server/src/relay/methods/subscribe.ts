import { invalidPayload, RelayError } from '../errors.ts'
import type { ClientSession } from '../connections/clientSession.ts'
import type { Method } from './method.ts'
import { runStep } from './runStep.ts'
import { parseBatchParam, parseRecordParam, parseTopicParam } from './params.ts'

/** Subscribes to a topic. Its undelivered messages follow the response. */
export const subscribe: Method = (session, params) => {
  const topic = parseTopicParam(params['topic'])
  return { result: session.subscribe(topic), after: () => session.deliverUndelivered([topic]) }
}

/** Subscribes to all of several topics or to none. Responds with their ids in the same order. */
export const batchSubscribe: Method = (session, params) => {
  const topics = parseBatchParam(params['topics'], parseTopicParam)
  session.checkItems(topics.length)
  const newTopics = topics.filter((topic) => !session.isSubscribed(topic))
  try {
    const result = topics.map((topic) => session.subscribe(topic))
    return { result, after: () => session.deliverUndelivered(topics) }
  } catch (error) {
    for (const topic of newTopics) session.unsubscribe(topic)
    throw error
  }
}

/** Subscribes to several topics. Responds with an id or an error for each. */
export const batchSubscribeBlocking: Method = (session, params) => {
  const items = parseBatchParam(params['topics'], (item) => item)
  session.checkItems(items.length)
  const result = items.map((item) => trySubscribe(session, item))
  const topics = items.filter((item) => typeof item === 'string').filter((topic) => session.isSubscribed(topic))
  return { result, after: () => session.deliverUndelivered(topics) }
}

function trySubscribe(session: ClientSession, item: unknown): object {
  try {
    return { id: session.subscribe(parseTopicParam(item)) }
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    const { code, message, data } = error
    return { error: { code, message, data } }
  }
}

/** Creates a topic and subscribes to it. */
export const createTopic: Method = async (session, params) => {
  const topic = parseTopicParam(params['topic'])
  await runStep('CreateTopicFailed', () => session.subscribe(topic))
  return { result: true, after: () => session.deliverUndelivered([topic]) }
}

/** Unsubscribes. Ignores the id, because clients compute it themselves. */
export const unsubscribe: Method = (session, params) => {
  session.unsubscribe(parseSubscriptionTopic(params))
  return { result: true }
}

/** Unsubscribes from several topics. */
export const batchUnsubscribe: Method = (session, params) => {
  const topics = parseBatchParam(params['subscriptions'], (item) => parseSubscriptionTopic(parseRecordParam(item)))
  session.checkItems(topics.length)
  for (const topic of topics) session.unsubscribe(topic)
  return { result: true }
}

function parseSubscriptionTopic({ topic, id }: Record<string, unknown>): string {
  if (id === undefined || id === null || typeof id === 'string') return parseTopicParam(topic)
  throw invalidPayload('InvalidSubscriptionId', 'the id of a subscription is a string')
}
