import { expect, test } from 'vitest'
import { relayLimits } from './config.ts'
import { createQuotas } from './quotas.ts'

const limits = { ...relayLimits('public'), subscriptionsPerClient: 2, publications: { perSecond: 10, burst: 2 } }

test('lets a client publish so often on one topic, whatever it does on others [R-17]', () => {
  let now = 0
  const quotas = createQuotas(limits, { now: () => now })
  quotas.publish('client', 'topic')
  quotas.publish('client', 'topic')
  expect(() => quotas.publish('client', 'topic')).toThrow('Too many requests')
  quotas.publish('client', 'other topic')
  quotas.publish('other client', 'topic')
  now += 100
  quotas.publish('client', 'topic')
  expect(() => quotas.publish('client', 'topic')).toThrow('Too many requests')
})

test('lets a client publish on all topics together what its connections may ask one by one [R-17]', () => {
  const quotas = createQuotas(
    { ...limits, rate: { perSecond: 1, burst: 3 }, connectionsPerClient: 2 },
    { now: () => 0 },
  )
  for (let topic = 0; topic < 6; topic += 1) quotas.publish('client', `topic ${topic}`)
  expect(() => quotas.publish('client', 'another topic')).toThrow('Too many requests')
  quotas.publish('other client', 'another topic')
})

test('counts the subscriptions of a client until they end [R-17]', () => {
  const quotas = createQuotas(limits, { now: () => 0 })
  quotas.subscribe('client')
  quotas.subscribe('client')
  expect(() => quotas.subscribe('client')).toThrow(expect.objectContaining({ data: 'SubscriberLimitExceeded' }))
  quotas.subscribe('other client')
  quotas.unsubscribe('client', 1)
  quotas.subscribe('client')
  expect(() => quotas.subscribe('client')).toThrow('too many')
  quotas.unsubscribe('client', 2)
  quotas.subscribe('client')
  quotas.subscribe('client')
})
