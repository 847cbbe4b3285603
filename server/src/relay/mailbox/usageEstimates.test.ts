import { expect, test } from 'vitest'
import type { CountedUsage, QuotaMessage } from '../limits/admitMessages.ts'
import { createUsageEstimates, type UsageEstimates } from './usageEstimates.ts'

const limits = { messages: 80, bytes: 8_000, bytesPerPublisher: 16_000 }

const on = (topic: string, publisher: string, bytes = 10): QuotaMessage => ({ topic, publisher, bytes })

const counted = (messages: number, bytes: number): CountedUsage => ({ messages, bytes, expiresAt: 1 })

/** Creates estimates in which a topic and a publisher have been read. */
function createRead(topic: CountedUsage, publisher: CountedUsage): UsageEstimates {
  const estimates = createUsageEstimates({ limits })
  estimates.update([on('a', 'dapp')], { topics: new Map([['a', topic]]), publishers: new Map([['dapp', publisher]]) })
  return estimates
}

test('a topic and a publisher are outdated until they were read', () => {
  const estimates = createRead(counted(1, 10), counted(1, 10))
  expect(estimates.findOutdated([on('a', 'dapp'), on('b', 'dapp'), on('a', 'wallet')])).toEqual([
    on('b', 'dapp'),
    on('a', 'wallet'),
  ])
  estimates.update([on('b', 'wallet')], { topics: new Map(), publishers: new Map() })
  expect(estimates.findOutdated([on('b', 'dapp'), on('a', 'wallet')])).toEqual([])
})

test('a topic is outdated after this process has added an eighth of its messages', () => {
  const estimates = createRead(counted(1, 10), counted(1, 10))
  for (let count = 0; count < 10; count += 1) {
    expect(estimates.findOutdated([on('a', 'dapp')])).toEqual([])
    estimates.add(on('a', 'dapp'))
  }
  expect(estimates.findOutdated([on('a', 'dapp')])).toEqual([on('a', 'dapp')])
})

test('the messages of a group count together', () => {
  const estimates = createRead(counted(1, 10), counted(1, 10))
  const group = Array.from({ length: 11 }, () => on('a', 'dapp'))
  expect(estimates.findOutdated(group.slice(1))).toEqual([])
  expect(estimates.findOutdated(group)).toEqual(group)
})

test('a topic or a publisher that may be full is outdated', () => {
  expect(createRead(counted(80, 0), counted(0, 0)).findOutdated([on('a', 'dapp')])).toHaveLength(1)
  expect(createRead(counted(0, 7_995), counted(0, 0)).findOutdated([on('a', 'dapp')])).toHaveLength(1)
  expect(createRead(counted(0, 0), counted(0, 15_995)).findOutdated([on('a', 'dapp')])).toHaveLength(1)
  expect(createRead(counted(79, 7_990), counted(79, 15_990)).findOutdated([on('a', 'dapp')])).toEqual([])
})

test('large messages outdate the estimates of bytes', () => {
  const estimates = createRead(counted(0, 0), counted(0, 0))
  estimates.add(on('a', 'dapp', 1_000))
  expect(estimates.findOutdated([on('a', 'dapp')])).toHaveLength(1)
})

test('a delivered message makes room again', () => {
  const estimates = createRead(counted(79, 790), counted(79, 790))
  estimates.add(on('a', 'dapp'))
  expect(estimates.findOutdated([on('a', 'dapp')])).toHaveLength(1)
  estimates.remove(on('a', 'dapp'))
  expect(estimates.findOutdated([on('a', 'dapp')])).toEqual([])
  expect(estimates.read([on('a', 'dapp')])).toEqual({
    topics: new Map([['a', counted(79, 790)]]),
    publishers: new Map([['dapp', counted(79, 790)]]),
  })
})

test('the limit per publisher does not apply to the exempt publisher', () => {
  const estimates = createUsageEstimates({ limits, exemptPublisher: 'bridge' })
  estimates.update([on('a', 'other')], { topics: new Map(), publishers: new Map() })
  expect(estimates.findOutdated([on('a', 'bridge')])).toEqual([])
})

test('what was read is not changed', () => {
  const usage = counted(1, 10)
  createRead(usage, usage).add(on('a', 'dapp'))
  expect(usage).toEqual(counted(1, 10))
})
