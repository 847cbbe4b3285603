import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFollowing, type Following } from './following.ts'

const topic = 'a'.repeat(64)

let asked: Array<[string, object]>
let following: Following

beforeEach(() => {
  asked = []
  following = createFollowing({
    clientId: 'did:key:bridge',
    line: {
      async request(method, params) {
        asked.push([method, params])
        return true
      },
    },
    log: Fastify({ logger: false }).log,
    dropped: () => undefined,
  })
})

afterEach(() => following.close())

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
}

test('has a topic delivered again by leaving it and coming back', async () => {
  following.resume()
  following.follow(topic)
  await turns()
  following.redeliver(topic)
  await turns()
  expect(asked).toEqual([
    ['irn_batchSubscribe', { topics: [topic] }],
    ['irn_unsubscribe', expect.objectContaining({ topic })],
    ['irn_batchSubscribe', { topics: [topic] }],
  ])
})

test('asks for nothing without a connection, and then for what is still wanted', async () => {
  following.follow(topic)
  following.follow('b'.repeat(64))
  following.drop('b'.repeat(64))
  following.redeliver(topic)
  await turns()
  expect(asked).toEqual([])
  following.resume()
  await turns()
  expect(asked).toEqual([['irn_batchSubscribe', { topics: [topic] }]])
})

test('asks once for what is wanted in one turn, and again only for what is followed', async () => {
  following.resume()
  following.follow(topic)
  following.follow('b'.repeat(64))
  following.renew('c'.repeat(64))
  following.redeliver('c'.repeat(64))
  await turns()
  expect(asked).toEqual([['irn_batchSubscribe', { topics: [topic, 'b'.repeat(64)] }]])
})
