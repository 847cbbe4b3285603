import { expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import { createMessageBroker } from './messageBroker.ts'

const topic = 'a'.repeat(64)

const newMessage = (sequence: number, publisher = 'dapp'): RelayMessage => ({
  sequence,
  topic,
  message: `message ${sequence}`,
  tag: 1108,
  attestation: '',
  origin: '',
  publisher,
  publishedAt: 0,
  expiresAt: 300_000,
})

test('the messages of a group are delivered in the order of their sequence, before other events', async () => {
  const broker = createMessageBroker(createInProcessBus())
  const order: unknown[] = []
  broker.subscribe(topic, {
    clientId: 'wallet',
    deliver: ({ sequence }) => order.push(sequence),
    handleGap: () => undefined,
  })
  setImmediate(() => order.push('other event'))
  // The chain of promises of the first message is longer.
  await Promise.all([
    Promise.resolve()
      .then(() => undefined)
      .then(() => broker.broadcast(newMessage(1))),
    Promise.resolve().then(() => broker.broadcast(newMessage(2))),
  ])
  await new Promise(setImmediate)
  expect(order).toEqual([1, 2, 'other event'])
})

test('a message is not delivered to its publisher', async () => {
  const broker = createMessageBroker(createInProcessBus())
  const delivered: string[] = []
  for (const clientId of ['dapp', 'wallet']) {
    broker.subscribe(topic, { clientId, deliver: () => delivered.push(clientId), handleGap: () => undefined })
  }
  broker.broadcast(newMessage(1))
  await new Promise(setImmediate)
  expect(delivered).toEqual(['wallet'])
})
