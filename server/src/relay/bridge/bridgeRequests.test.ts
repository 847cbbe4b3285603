import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createInProcessBus, type Bus } from '../../kit/bus/bus.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { testProjectId } from '../../testing/relayClient.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import { createBridgeIdentity } from './bridgeIdentity.ts'
import { createBridge, type Bridge } from './bridge.ts'
import { startTestUpstream, type TestUpstream, type UpstreamRequest } from './testUpstream.ts'

/** Timeout for a loaded machine. Normally, these operations take milliseconds. */
const soon = { timeout: 60_000 }

const identity = createBridgeIdentity(new Uint8Array(32).fill(5))
const mailbox = {
  listAllUndelivered: async () => ({ messages: [], hasMore: false, position: 0 }),
  acknowledge: async () => undefined,
  idle: async () => undefined,
}
const topicOf = (name: number): string => name.toString(16).padStart(64, '0')

let behave: (request: UpstreamRequest) => object | undefined
let upstream: TestUpstream
let bus: Bus
let bridge: Bridge
let events: string[]

beforeEach(async () => {
  behave = () => ({ result: true })
  events = []
  upstream = await startTestUpstream((request) => behave(request))
  bus = createInProcessBus()
  bridge = createBridge({
    upstream: { url: upstream.url, projectId: testProjectId, origin: undefined, lingerSeconds: 600 },
    identity,
    mailbox,
    ingest: async () => 'stored',
    bus,
    clock: systemClock,
    log: Fastify({ logger: { stream: { write: (text: string) => events.push(text) } } }).log,
  })
  bridge.open()
  await vi.waitUntil(() => bridge.status() === 'connected', { timeout: 60_000 })
})

afterEach(async () => {
  await bridge.close()
  upstream.close()
})

const listRequests = (method: string): readonly UpstreamRequest[] =>
  upstream.received.filter((each) => each.method === method)
const subscribedTopics = (): readonly unknown[] =>
  listRequests('irn_batchSubscribe').map(({ params }) => params['topics'])
const listen = (topic: string, client = 'dapp'): void => bridge.observer.subscribed?.(topic, client)
const stop = (topic: string, client = 'dapp'): void => bridge.observer.unsubscribed?.(topic, client)

function acceptMessage(change: Partial<RelayMessage> = {}): void {
  const now = Date.now()
  const times = { publishedAt: now, expiresAt: now + 300_000 }
  const message = {
    sequence: 1,
    topic: topicOf(1),
    message: 'sealed',
    tag: 1109,
    attestation: '',
    origin: '',
    ...times,
  }
  bridge.observer.messageStored?.({ ...message, publisher: 'dapp', ...change })
}

test('the bridge subscribes in batches of at most 500 topics, and again to all topics after a reconnect', async () => {
  const topics = Array.from({ length: 1_100 }, (_, index) => topicOf(index))
  for (const topic of topics) listen(topic)
  await expect
    .poll(() => subscribedTopics(), soon)
    .toEqual([topics.slice(0, 500), topics.slice(500, 1_000), topics.slice(1_000)])
  upstream.sockets[0]?.terminate()
  await expect.poll(() => subscribedTopics().length, soon).toBe(6)
  expect(subscribedTopics().slice(3).flat()).toEqual(topics)
})

test('at the upstream subscription limit the bridge fills the limit, logs it once, and subscribes to the rest after a reconnect', async () => {
  const taken = new Set<unknown>()
  let room = 700
  behave = ({ method, params }) => {
    const { topics } = params
    if (method !== 'irn_batchSubscribe' || !Array.isArray(topics)) return { result: true }
    if (taken.size + topics.length > room) return { error: { code: -32000, message: 'too many subscriptions' } }
    for (const topic of topics) taken.add(topic)
    return { result: [] }
  }
  const topics = Array.from({ length: 1_000 }, (_, index) => topicOf(index))
  for (const topic of topics) listen(topic)
  await expect.poll(() => taken.size, soon).toBe(700)
  expect(subscribedTopics().length).toBeLessThan(30)
  await expect.poll(() => events.filter((text) => text.includes('further subscriptions')), soon).toHaveLength(1)
  taken.clear()
  room = 2_000
  upstream.sockets[0]?.terminate()
  await expect.poll(() => taken.size, soon).toBe(1_000)
})

test('the bridge unsubscribes after the last subscriber leaves, and other processes resubscribe', async () => {
  const dropped: unknown[] = []
  bus.subscribe('relay/bridge/dropped', ({ topic }) => dropped.push(topic))
  listen(topicOf(1))
  await expect.poll(subscribedTopics, soon).toEqual([[topicOf(1)]])
  stop(topicOf(1))
  await expect.poll(() => dropped, soon).toEqual([topicOf(1)])
  expect(listRequests('irn_unsubscribe').map(({ params }) => params['topic'])).toEqual([topicOf(1)])
  listen(topicOf(2))
  bus.publish('relay/bridge/dropped', { topic: topicOf(1) })
  bus.publish('relay/bridge/dropped', { topic: topicOf(2) })
  await expect.poll(() => subscribedTopics().flat(), soon).toEqual([topicOf(1), topicOf(2)])
})

test('the bridge resubscribes to a topic that another process dropped', async () => {
  listen(topicOf(1))
  await expect.poll(() => subscribedTopics().length, soon).toBe(1)
  bus.publish('relay/bridge/dropped', { topic: topicOf(1) })
  await expect.poll(subscribedTopics, soon).toEqual([[topicOf(1)], [topicOf(1)]])
})

test('the bridge ignores subscriptions that return from upstream as its own', async () => {
  const echo = String(listRequests('irn_subscribe')[0]?.params['topic'])
  listen(topicOf(1), 'mirror')
  await expect.poll(subscribedTopics, soon).toEqual([[topicOf(1)]])
  listen(echo, 'mirror')
  await expect.poll(() => listRequests('irn_unsubscribe').length, soon).toBe(1)
  listen(topicOf(2), 'mirror')
  listen(topicOf(3), 'dapp')
  await expect.poll(subscribedTopics, soon).toEqual([[topicOf(1)], [topicOf(3)]])
})

test('a forwarded message keeps the parameters of its publisher, with the remaining ttl', async () => {
  acceptMessage({ tag: 1108, attestation: 'who', expiresAt: Date.now() + 120_000 })
  acceptMessage({ sequence: 2, message: 'answer' })
  await expect.poll(() => listRequests('irn_publish').length, soon).toBe(2)
  const [request, second] = listRequests('irn_publish').map(({ params }) => params)
  const ttl = expect.toSatisfy((seconds: number) => seconds > 110 && seconds <= 120)
  expect(request).toEqual({ topic: topicOf(1), message: 'sealed', tag: 1108, prompt: true, attestation: 'who', ttl })
  expect(second).not.toHaveProperty('prompt')
  expect(second).not.toHaveProperty('attestation')
})

test('messages from upstream and expired messages are not forwarded', async () => {
  acceptMessage({ publisher: identity.clientId })
  acceptMessage({ sequence: 2, topic: topicOf(2), expiresAt: Date.now() })
  acceptMessage({ sequence: 3, topic: topicOf(3) })
  await expect.poll(() => listRequests('irn_publish').length, soon).toBe(1)
  expect(listRequests('irn_publish')[0]?.params['topic']).toBe(topicOf(3))
})

test.each([
  ['is too large', { code: -32600, message: 'Payload size limit exceeded', data: 'PayloadSizeExceeded' }],
  ['has an unsupported ttl', { code: -32000, message: 'Internal error: ttl too long', data: 'TtlTooLong' }],
])(
  'a message that %s is dropped, logged with six digits of its topic, and followed by the next',
  async (_name, error) => {
    behave = ({ params }) => (params['message'] === 'sealed' ? { error } : { result: true })
    const topic = 'abcdef'.padEnd(64, '7')
    acceptMessage({ topic })
    acceptMessage({ topic, sequence: 2, message: 'next' })
    await expect
      .poll(() => listRequests('irn_publish').map(({ params }) => params['message']), soon)
      .toEqual(['sealed', 'next'])
    const line = events.find((text) => text.includes('refuses a message'))
    expect(line).toContain('"abcdef"')
    expect(line).not.toContain('abcdef7')
  },
)

test('a full upstream mailbox pauses only its own topic', async () => {
  behave = ({ params }) =>
    params['topic'] === topicOf(1) ? { error: { code: -32050, message: 'mailbox full' } } : { result: true }
  acceptMessage()
  acceptMessage({ sequence: 2, message: 'next' })
  acceptMessage({ sequence: 3, topic: topicOf(2), message: 'elsewhere' })
  await expect
    .poll(() => listRequests('irn_publish').map(({ params }) => params['message']), soon)
    .toEqual(['sealed', 'elsewhere'])
})
