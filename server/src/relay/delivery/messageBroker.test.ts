import { expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import { createMessageBroker, type Subscriber } from './messageBroker.ts'

const [topic, otherTopic] = ['a'.repeat(64), 'b'.repeat(64)]

function createSubscriber(gaps: string[]): Subscriber {
  return {
    clientId: 'client',
    deliver: () => undefined,
    handleGap: (topics) => void gaps.push(...topics),
    handleRenumbering: () => undefined,
  }
}

test('an announced gap reaches the subscribers of its topic in every process [R-01]', () => {
  const bus = createInProcessBus()
  const [one, other] = [createMessageBroker(bus), createMessageBroker(bus)]
  const gaps: string[] = []
  void one.subscribe(otherTopic, createSubscriber(gaps))
  void other.subscribe(topic, createSubscriber(gaps))
  one.announceGap(topic)
  expect(gaps).toEqual([topic])
})

test('a gap of this process does not reach other processes', () => {
  const bus = createInProcessBus()
  const [one, other] = [createMessageBroker(bus), createMessageBroker(bus)]
  const gaps: string[] = []
  void other.subscribe(topic, createSubscriber(gaps))
  one.notifyGap([topic])
  expect(gaps).toEqual([])
})
