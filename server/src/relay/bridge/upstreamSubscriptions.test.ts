import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUpstreamSubscriptions, type UpstreamSubscriptions } from './upstreamSubscriptions.ts'

const topic = 'a'.repeat(64)

let requests: Array<[string, object]>
let following: UpstreamSubscriptions

beforeEach(() => {
  requests = []
  following = createUpstreamSubscriptions({
    clientId: 'did:key:bridge',
    link: {
      async request(method, params) {
        requests.push([method, params])
        return true
      },
    },
    log: Fastify({ logger: false }).log,
    unfollowed: () => undefined,
  })
})

afterEach(() => following.close())

const flushAllPromises = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
}

test('resubscribing to a topic repeats its delivery', async () => {
  following.resume()
  following.follow(topic)
  await flushAllPromises()
  following.redeliver(topic)
  await flushAllPromises()
  expect(requests).toEqual([
    ['irn_batchSubscribe', { topics: [topic] }],
    ['irn_unsubscribe', expect.objectContaining({ topic })],
    ['irn_batchSubscribe', { topics: [topic] }],
  ])
})

test('subscriptions wait for a connection, then request only the topics still wanted', async () => {
  following.follow(topic)
  following.follow('b'.repeat(64))
  following.unfollow('b'.repeat(64))
  following.redeliver(topic)
  await flushAllPromises()
  expect(requests).toEqual([])
  following.resume()
  await flushAllPromises()
  expect(requests).toEqual([['irn_batchSubscribe', { topics: [topic] }]])
})

test('topics followed in one turn are requested in one batch, and an unfollowed topic is not renewed', async () => {
  following.resume()
  following.follow(topic)
  following.follow('b'.repeat(64))
  following.renew('c'.repeat(64))
  following.redeliver('c'.repeat(64))
  await flushAllPromises()
  expect(requests).toEqual([['irn_batchSubscribe', { topics: [topic, 'b'.repeat(64)] }]])
})
