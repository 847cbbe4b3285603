import { expect, test } from 'vitest'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { relayLimits } from '../relayVariables.ts'
import { createAddressMemory } from './addressMemory.ts'
import { createClientQuotas, subscriptionBytes } from './clientQuotas.ts'

const limits = { ...relayLimits('public'), subscriptionsPerClient: 2, publishes: { perSecond: 10, burst: 2 } }
const memory = createAddressMemory(limits.memoryPerAddress)

test('the publish rate of a client is limited separately for each topic [R-17]', () => {
  let now = 0
  const quotas = createClientQuotas(limits, createInProcessRateLimiters({ now: () => now }), memory)
  quotas.checkPublish('client', 'topic')
  quotas.checkPublish('client', 'topic')
  expect(() => quotas.checkPublish('client', 'topic')).toThrow('Too many requests')
  quotas.checkPublish('client', 'other topic')
  quotas.checkPublish('other client', 'topic')
  now += 100
  quotas.checkPublish('client', 'topic')
  expect(() => quotas.checkPublish('client', 'topic')).toThrow('Too many requests')
})

test('the publish rate of a client on all topics is limited to the sum of its connections’ rates [R-17]', () => {
  const quotas = createClientQuotas(
    { ...limits, rate: { perSecond: 1, burst: 3 }, connectionsPerClient: 2 },
    createInProcessRateLimiters({ now: () => 0 }),
    memory,
  )
  for (let topic = 0; topic < 6; topic += 1) quotas.checkPublish('client', `topic ${topic}`)
  expect(() => quotas.checkPublish('client', 'another topic')).toThrow('Too many requests')
  quotas.checkPublish('other client', 'another topic')
})

test('the publish rate on all topics refills at the sum of the connections’ rates [R-17]', () => {
  let now = 0
  const quotas = createClientQuotas(
    { ...limits, rate: { perSecond: 1, burst: 3 }, connectionsPerClient: 2 },
    createInProcessRateLimiters({ now: () => now }),
    memory,
  )
  for (let topic = 0; topic < 6; topic += 1) quotas.checkPublish('client', `topic ${topic}`)
  now += 1_000
  for (let topic = 6; topic < 8; topic += 1) quotas.checkPublish('client', `topic ${topic}`)
  expect(() => quotas.checkPublish('client', 'another topic')).toThrow('Too many requests')
})

test('each quota has a name of its own, because processes share the buckets of a name [R-17]', () => {
  const names = new Set<string>()
  const { createLocalFirst } = createInProcessRateLimiters({ now: () => 0 })
  const named: typeof createLocalFirst = (name, rate) => {
    names.add(name)
    return createLocalFirst(name, rate)
  }
  createClientQuotas(limits, { createLocalFirst: named }, memory)
  expect([...names]).toEqual(['relay/publishes', 'relay/publishers', 'relay/items'])
})

test('each item of a batch request is charged [R-17]', () => {
  let now = 0
  const quotas = createClientQuotas(
    { ...limits, items: { perSecond: 10, burst: 500 } },
    createInProcessRateLimiters({ now: () => now }),
    memory,
  )
  quotas.checkItems('client', 400)
  expect(() => quotas.checkItems('client', 101)).toThrow('Too many requests')
  quotas.checkItems('client', 100)
  quotas.checkItems('other client', 500)
  now += 10_000
  quotas.checkItems('client', 100)
})

test('the subscriptions of a client are limited, and removed subscriptions free their place [R-17]', () => {
  const quotas = createClientQuotas(limits, createInProcessRateLimiters({ now: () => 0 }), memory)
  const [client, other] = [subscriber('client'), subscriber('other client')]
  quotas.addSubscription(client)
  quotas.addSubscription(client)
  expect(() => quotas.addSubscription(client)).toThrow(expect.objectContaining({ data: 'SubscriberLimitExceeded' }))
  quotas.addSubscription(other)
  quotas.removeSubscriptions(client, 1)
  quotas.addSubscription(client)
  expect(() => quotas.addSubscription(client)).toThrow('too many')
  quotas.removeSubscriptions(client, 2)
  quotas.addSubscription(client)
  quotas.addSubscription(client)
})

test('an address that takes client ids one after another gets no more subscriptions than its memory allows [R-17]', () => {
  const quotas = createClientQuotas(
    limits,
    createInProcessRateLimiters({ now: () => 0 }),
    createAddressMemory(3 * subscriptionBytes),
  )
  for (const id of ['one', 'two', 'three']) quotas.addSubscription(subscriber(id))
  expect(() => quotas.addSubscription(subscriber('four'))).toThrow('too many subscriptions of this address')
  quotas.addSubscription(subscriber('four', '203.0.113.7'))
  quotas.removeSubscriptions(subscriber('two'), 1)
  quotas.addSubscription(subscriber('four'))
  expect(() => quotas.addSubscription(subscriber('five'))).toThrow('too many')
})

const subscriber = (clientId: string, address = '192.0.2.1'): { clientId: string; address: string } => ({
  clientId,
  address,
})
