import { expect, test } from 'vitest'
import type { CountedUsage, QuotaMessage } from '../limits/admitMessages.ts'
import { createUsageEstimates, type UsageEstimates } from './usageEstimates.ts'

const limits = { messages: 80, bytes: 8_000, bytesPerPublisher: 16_000 }

const createQuotaMessage = (topic: string, publisher: string, bytes = 10): QuotaMessage => ({ topic, publisher, bytes })

const createUsage = (messages: number, bytes: number): CountedUsage => ({ messages, bytes, expiresAt: 1 })

/** Creates estimates in which a topic and a publisher have been read. */
function createRead(topic: CountedUsage, publisher: CountedUsage): UsageEstimates {
  const estimates = createUsageEstimates({ limits })
  estimates.update([createQuotaMessage('a', 'dapp')], {
    topics: new Map([['a', topic]]),
    publishers: new Map([['dapp', publisher]]),
  })
  return estimates
}

test('a topic and a publisher are outdated until they were read', () => {
  const estimates = createRead(createUsage(1, 10), createUsage(1, 10))
  expect(
    estimates.findOutdated([
      createQuotaMessage('a', 'dapp'),
      createQuotaMessage('b', 'dapp'),
      createQuotaMessage('a', 'wallet'),
    ]),
  ).toEqual([createQuotaMessage('b', 'dapp'), createQuotaMessage('a', 'wallet')])
  estimates.update([createQuotaMessage('b', 'wallet')], { topics: new Map(), publishers: new Map() })
  expect(estimates.findOutdated([createQuotaMessage('b', 'dapp'), createQuotaMessage('a', 'wallet')])).toEqual([])
})

test('a topic is outdated after this process has added an eighth of its messages', () => {
  const estimates = createRead(createUsage(1, 10), createUsage(1, 10))
  for (let count = 0; count < 10; count += 1) {
    expect(estimates.findOutdated([createQuotaMessage('a', 'dapp')])).toEqual([])
    estimates.add(createQuotaMessage('a', 'dapp'))
  }
  expect(estimates.findOutdated([createQuotaMessage('a', 'dapp')])).toEqual([createQuotaMessage('a', 'dapp')])
})

test('the messages of a group count together', () => {
  const estimates = createRead(createUsage(1, 10), createUsage(1, 10))
  const group = Array.from({ length: 11 }, () => createQuotaMessage('a', 'dapp'))
  expect(estimates.findOutdated(group.slice(1))).toEqual([])
  expect(estimates.findOutdated(group)).toEqual(group)
})

test('a topic or a publisher that may be full is outdated', () => {
  expect(
    createRead(createUsage(80, 0), createUsage(0, 0)).findOutdated([createQuotaMessage('a', 'dapp')]),
  ).toHaveLength(1)
  expect(
    createRead(createUsage(0, 7_995), createUsage(0, 0)).findOutdated([createQuotaMessage('a', 'dapp')]),
  ).toHaveLength(1)
  expect(
    createRead(createUsage(0, 0), createUsage(0, 15_995)).findOutdated([createQuotaMessage('a', 'dapp')]),
  ).toHaveLength(1)
  expect(
    createRead(createUsage(79, 7_990), createUsage(79, 15_990)).findOutdated([createQuotaMessage('a', 'dapp')]),
  ).toEqual([])
})

test('large messages outdate the estimates of bytes', () => {
  const estimates = createRead(createUsage(0, 0), createUsage(0, 0))
  estimates.add(createQuotaMessage('a', 'dapp', 1_000))
  expect(estimates.findOutdated([createQuotaMessage('a', 'dapp')])).toHaveLength(1)
})

test('a delivered message makes room again', () => {
  const estimates = createRead(createUsage(79, 790), createUsage(79, 790))
  estimates.add(createQuotaMessage('a', 'dapp'))
  expect(estimates.findOutdated([createQuotaMessage('a', 'dapp')])).toHaveLength(1)
  estimates.remove(createQuotaMessage('a', 'dapp'))
  expect(estimates.findOutdated([createQuotaMessage('a', 'dapp')])).toEqual([])
  expect(estimates.read([createQuotaMessage('a', 'dapp')])).toEqual({
    topics: new Map([['a', createUsage(79, 790)]]),
    publishers: new Map([['dapp', createUsage(79, 790)]]),
  })
})

test('the limit per publisher does not apply to the exempt publisher', () => {
  const estimates = createUsageEstimates({ limits, exemptPublisher: 'bridge' })
  estimates.update([createQuotaMessage('a', 'other')], { topics: new Map(), publishers: new Map() })
  expect(estimates.findOutdated([createQuotaMessage('a', 'bridge')])).toEqual([])
})

test('what was read is not changed', () => {
  const usage = createUsage(1, 10)
  createRead(usage, usage).add(createQuotaMessage('a', 'dapp'))
  expect(usage).toEqual(createUsage(1, 10))
})
