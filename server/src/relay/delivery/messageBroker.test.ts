import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import { createMessageBroker, type Subscriber } from './messageBroker.ts'

const [topic, otherTopic] = ['a'.repeat(64), 'b'.repeat(64)]

function createSubscriber(events: string[]): Subscriber {
  return {
    clientId: 'client',
    deliver: ({ sequence }) => void events.push(`message ${sequence}`),
    handleGap: (topics) => void events.push(...topics.map((each) => `gap ${each}`)),
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
  expect(gaps).toEqual([`gap ${topic}`])
})

test('a client that repeats publishes makes processes read the mailbox once a second, and once more at the end', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const broker = createMessageBroker(createInProcessBus())
  const gaps: string[] = []
  void broker.subscribe(topic, createSubscriber(gaps))
  void broker.subscribe(otherTopic, createSubscriber(gaps))
  for (let count = 0; count < 100; count += 1) broker.announceGap(topic)
  broker.announceGap(otherTopic)
  expect(gaps).toEqual([`gap ${topic}`, `gap ${otherTopic}`])
  vi.advanceTimersByTime(1_000)
  expect(gaps.slice(2)).toEqual([`gap ${topic}`])
  vi.advanceTimersByTime(1_000)
  broker.announceGap(topic)
  expect(gaps.slice(3)).toEqual([`gap ${topic}`])
})

test('a gap of this process does not reach other processes', () => {
  const bus = createInProcessBus()
  const [one, other] = [createMessageBroker(bus), createMessageBroker(bus)]
  const gaps: string[] = []
  void other.subscribe(topic, createSubscriber(gaps))
  one.notifyGap([topic])
  expect(gaps).toEqual([])
})

function createMessage(sequence: number, previous?: number): RelayMessage {
  const text = { message: '', tag: 0, attestation: '', origin: '', publisher: 'other' }
  return { ...text, topic, sequence, publishedAt: 0, expiresAt: 1, ...(previous !== undefined && { previous }) }
}

async function receive(...messages: readonly RelayMessage[]): Promise<readonly string[]> {
  const broker = createMessageBroker(createInProcessBus())
  const events: string[] = []
  void broker.subscribe(topic, createSubscriber(events))
  for (const message of messages) {
    broker.broadcast(message)
    await nextTurn()
  }
  return events
}

test('a message whose predecessor did not arrive is preceded by a gap, so that both keep their order [R-16]', async () => {
  const events = await receive(createMessage(4, 2), createMessage(6, 4), createMessage(9, 7))
  expect(events).toEqual(['message 4', 'message 6', `gap ${topic}`, 'message 9'])
})

test('messages that arrive in another order than they were stored are no lasting gap', async () => {
  const events = await receive(createMessage(4, 2), createMessage(7, 6), createMessage(6, 4), createMessage(8, 7))
  expect(events).toEqual(['message 4', `gap ${topic}`, 'message 7', 'message 6', 'message 8'])
})

test('messages of a store that does not number the messages of a topic leave no gap', async () => {
  expect(await receive(createMessage(4), createMessage(9))).toEqual(['message 4', 'message 9'])
})

test('other sequences after a renumbering are no gap', async () => {
  const broker = createMessageBroker(createInProcessBus())
  const events: string[] = []
  void broker.subscribe(topic, createSubscriber(events))
  broker.broadcast(createMessage(4, 2))
  await nextTurn()
  broker.notifyRenumbering(() => true)
  broker.broadcast(createMessage(9, 8))
  await nextTurn()
  expect(events).toEqual(['message 4', 'message 9'])
})
