import { manualClock } from '@latchkey/core/testing'
import { requestError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { createObservable } from '../primitives/observable.ts'
import { walletConnectError } from '../walletConnectError.ts'
import type { RelayStatus } from './relayStatus.ts'
import { createTopicSubscriptions } from './topicSubscriptions.ts'

const [first, second, third] = ['a1'.repeat(32), 'b2'.repeat(32), 'c3'.repeat(32)]

type Call = { method: string; params: { topic?: string; topics?: readonly string[]; id?: unknown } }

/** Subscriptions at a relay that names each one after its topic, and refuses what `refuses` returns a reason for. */
function openSubscriptions(refuses: (topic: string) => string | undefined = () => undefined) {
  const clock = manualClock()
  const status = createObservable<RelayStatus>({ state: 'open' })
  const calls: Call[] = []
  const messages: string[] = []
  const subscribedIds = new Set<string>()
  const request = async (method: string, params: Call['params']): Promise<unknown> => {
    calls.push({ method, params })
    await Promise.resolve()
    if (method === 'irn_unsubscribe') return subscribedIds.delete(String(params.id))
    const topics = params.topics ?? [params.topic ?? '']
    for (const topic of topics) {
      const reason = refuses(topic)
      if (reason === 'away') throw walletConnectError('relay/unreachable', { origin: 'wss://relay.example' })
      if (reason !== undefined) throw requestError('request/failed', { method, code: -32_000, reason })
    }
    const ids = topics.map((topic) => `id of ${topic}`)
    for (const id of ids) subscribedIds.add(id)
    return params.topics === undefined ? ids[0] : ids
  }
  const socket = {
    status,
    request,
    openOrClose() {},
    reportRefusal: (refusal: string | undefined) => status.set({ state: 'open', ...(refusal && { refusal }) }),
  }
  const subscriptions = createTopicSubscriptions({ socket, clock, onMessage: ({ message }) => messages.push(message) })
  return { subscriptions, calls, status, clock, messages, subscribedIds }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

const createPush = (topic: string, id?: string) => ({ id, data: { topic, message: `to ${topic}` } })
const methodsOf = (calls: readonly Call[]): readonly string[] => calls.map(({ method }) => method)

test('a subscription ends by the id that the relay returned for it', async () => {
  const { subscriptions, calls } = openSubscriptions()
  await subscriptions.subscribe(first)
  await subscriptions.unsubscribe(first)
  expect(calls.at(-1)).toEqual({ method: 'irn_unsubscribe', params: { topic: first, id: `id of ${first}` } })
  expect(calls).toHaveLength(2)
})

test('a subscription of a batch ends by the id at its place in the response', async () => {
  const { subscriptions, calls } = openSubscriptions()
  for (const topic of [first, second]) subscriptions.add(topic)
  subscriptions.resubscribe()
  await settle()
  await subscriptions.unsubscribe(second)
  expect(calls.at(-1)).toEqual({ method: 'irn_unsubscribe', params: { topic: second, id: `id of ${second}` } })
})

test('a subscription that a call for sessions made ends by the id of its messages', async () => {
  const { subscriptions, calls, messages } = openSubscriptions()
  subscriptions.add(first)
  subscriptions.receive(createPush(first, 'id of the push'))
  await subscriptions.unsubscribe(first)
  expect(messages).toEqual([`to ${first}`])
  expect(calls).toEqual([{ method: 'irn_unsubscribe', params: { topic: first, id: 'id of the push' } }])
})

test('a subscription without a known id asks the relay for it before it ends', async () => {
  const { subscriptions, calls, subscribedIds } = openSubscriptions()
  subscriptions.add(first)
  const ended = subscriptions.unsubscribe(first)
  expect(subscriptions.hasTopics()).toBe(true)
  await ended
  expect(methodsOf(calls)).toEqual(['irn_subscribe', 'irn_unsubscribe'])
  expect(subscribedIds.size).toBe(0)
  expect(subscriptions.hasTopics()).toBe(false)
})

test('a topic that is added again while its subscription ends stays subscribed', async () => {
  const { subscriptions, calls } = openSubscriptions()
  subscriptions.add(first)
  const ended = subscriptions.unsubscribe(first)
  await subscriptions.subscribe(first)
  await ended
  expect(methodsOf(calls)).toEqual(['irn_subscribe', 'irn_subscribe'])
})

test('an id is not used on another connection, because the relay may assign new ids', async () => {
  const { subscriptions, calls } = openSubscriptions()
  subscriptions.add(first)
  subscriptions.receive(createPush(first, 'an old id'))
  subscriptions.resubscribe()
  await settle()
  await subscriptions.unsubscribe(first)
  expect(calls.at(-1)?.params.id).toBe(`id of ${first}`)
})

test('a batch that the relay refuses is retried with growing delays until it is accepted', async () => {
  let isLimited = true
  const { subscriptions, calls, clock, status, messages } = openSubscriptions(() =>
    isLimited ? 'Too many requests' : undefined,
  )
  for (const topic of [first, second]) subscriptions.add(topic)
  subscriptions.resubscribe()
  await settle()
  expect(status.get()).toEqual({ state: 'open', refusal: 'Too many requests' })
  for (let second = 0; second < 60; second += 1) {
    clock.advance(1000)
    await settle()
  }
  expect(calls.length).toBeGreaterThan(5)
  expect(calls.length).toBeLessThan(25)
  isLimited = false
  clock.advance(30_000)
  await settle()
  expect(status.get()).toEqual({ state: 'open' })
  const accepted = calls.slice(-2).flatMap(({ params }) => params.topics ?? params.topic)
  expect(accepted).toEqual([first, second])
  subscriptions.receive(createPush(second))
  expect(messages).toEqual([`to ${second}`])
})

test('a topic that the relay refuses does not hold up the others', async () => {
  const { subscriptions, clock, status, subscribedIds } = openSubscriptions((topic) =>
    topic === second ? 'SubscriberLimitExceeded' : undefined,
  )
  for (const topic of [first, second, third]) subscriptions.add(topic)
  subscriptions.resubscribe()
  for (let second = 0; second < 5; second += 1) {
    await settle()
    clock.advance(1000)
  }
  expect([...subscribedIds]).toEqual(expect.arrayContaining([`id of ${first}`, `id of ${third}`]))
  expect(status.get()).toEqual({ state: 'open', refusal: 'SubscriberLimitExceeded' })
  await subscriptions.unsubscribe(second).catch(() => {})
  clock.advance(30_000)
  await settle()
  expect(status.get()).toEqual({ state: 'open' })
})

test('a single subscription that the relay refuses rejects, and is retried while its topic is kept', async () => {
  let isLimited = true
  const { subscriptions, calls, clock } = openSubscriptions(() => (isLimited ? 'Too many requests' : undefined))
  await expect(subscriptions.subscribe(first)).rejects.toMatchObject({ code: 'request/failed' })
  isLimited = false
  clock.advance(1000)
  await settle()
  clock.advance(60_000)
  await settle()
  expect(methodsOf(calls)).toEqual(['irn_subscribe', 'irn_subscribe'])
})

test('a refused batch is not retried without a connection, or after all topics are removed', async () => {
  const { subscriptions, calls, clock, status } = openSubscriptions(() => 'Too many requests')
  subscriptions.add(first)
  subscriptions.resubscribe()
  await settle()
  status.set({ state: 'refused', reason: 'Unauthorized: invalid key' })
  clock.advance(60_000)
  await settle()
  expect(calls).toHaveLength(1)
  status.set({ state: 'open' })
  subscriptions.resubscribe()
  await settle()
  subscriptions.clear()
  clock.advance(60_000)
  await settle()
  expect(calls).toHaveLength(2)
})

test('a batch that is lost with its connection is left to the next connection', async () => {
  const { subscriptions, calls, clock } = openSubscriptions(() => 'away')
  subscriptions.add(first)
  subscriptions.resubscribe()
  await settle()
  clock.advance(60_000)
  await settle()
  expect(calls).toHaveLength(1)
})
