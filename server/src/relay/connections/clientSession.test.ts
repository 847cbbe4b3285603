import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Registry } from 'prom-client'
import { beforeEach, expect, test } from 'vitest'
import { createInProcessBus } from '../../kit/bus/bus.ts'
import { relayLimits } from '../relayVariables.ts'
import { createMessageBroker, type MessageBroker } from '../delivery/messageBroker.ts'
import type { Mailbox, RelayMessage } from '../mailbox/mailbox.ts'
import { createRelayIdentity } from '../relayIdentity.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createAddressMemory } from '../limits/addressMemory.ts'
import { createClientQuotas } from '../limits/clientQuotas.ts'
import { createClientSession, type ClientSession } from './clientSession.ts'
import { createRelayMetrics } from '../relayMetrics.ts'
import { combineObservers } from '../relayObserver.ts'

const topic = 'a'.repeat(64)

let stored: RelayMessage[]
let hub: MessageBroker
/** Called during a read of the mailbox: after the query, before the result. */
let meanwhile: () => void | Promise<void>
/** Called when a message is stored. */
let storing: () => void
let takes: (message: RelayMessage) => boolean
let received: string[]
let acknowledged: number[]
let faults: unknown[]
let forgotten: string[]
let session: ClientSession

const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

function createMessage(sequence: number): RelayMessage {
  const text = `message ${sequence}`
  return {
    sequence,
    topic,
    message: text,
    tag: 0,
    attestation: '',
    origin: '',
    publisher: 'publisher',
    publishedAt: 0,
    expiresAt: 1,
  }
}

function publish(sequence: number): void {
  stored.push(createMessage(sequence))
  hub.broadcast(createMessage(sequence))
}

/** Two messages a page, so that a few make several. */
const mailbox: Mailbox = {
  async store(published) {
    storing()
    return stored.some(({ message }) => message === published.message)
      ? { outcome: 'duplicate' }
      : { outcome: 'stored', message: { ...published, sequence: 1, publishedAt: 0, expiresAt: 1 } }
  },
  listUndeliveredOnTopics: async (topics) => ({
    messages: stored.filter((message) => topics.includes(message.topic)),
    hasMore: false,
  }),
  filterUndelivered: async (receipts) =>
    receipts.filter(({ sequence }) => stored.some((message) => message.sequence === sequence)),
  listAllUndelivered: async () => ({ messages: [], hasMore: false, position: 0 }),
  findUnacknowledgedTopics: async () => ({ topics: [], last: 0 }),
  async listUndelivered(read, _client, after) {
    const found = stored.filter((message) => message.topic === read && message.sequence > after)
    await meanwhile()
    return { messages: found.slice(0, 2), hasMore: found.length > 2 }
  },
  acknowledge: async ({ sequence }) => void acknowledged.push(sequence),
  deleteExpired: async () => 0,
  idle: async () => {},
}

beforeEach(() => {
  stored = []
  received = []
  acknowledged = []
  faults = []
  forgotten = []
  storing = () => undefined
  meanwhile = () => undefined
  takes = () => true
  hub = createMessageBroker(createInProcessBus())
  session = createClientSession({
    clientId: 'wallet',
    source: { address: '', project: '' },
    origin: '',
    wantsOriginAttestations: false,
    clock: { now: () => 0 },
    limits: relayLimits('local'),
    watches: {
      identity: createRelayIdentity(new Uint8Array(32)),
      register: async () => {},
      unregister: async () => {},
    },
    quotas: createClientQuotas(
      relayLimits('local'),
      createInProcessRateLimiters({ now: () => 0 }),
      createAddressMemory(1024 * 1024),
    ),
    ceilings: { reserve: () => () => undefined },
    mailbox,
    broker: hub,
    observer: combineObservers([]),
    metrics: createRelayMetrics(new Registry(), []),
    push: (_id, pushed) => {
      if (!takes(pushed)) return false
      received.push(pushed.message)
      return true
    },
    forgetSent: (topics) => forgotten.push(...topics),
    onFault: (fault) => faults.push(fault),
  })
})

test('pushes start after the subscribe response, with earlier messages first', async () => {
  stored = [createMessage(1), createMessage(2), createMessage(3)]
  session.subscribe(topic)
  publish(4)
  await flushPromises()
  expect(received).toEqual([])
  session.deliverUndelivered([topic])
  await flushPromises()
  expect(received).toEqual(['message 1', 'message 2', 'message 3', 'message 4'])
})

test('a message announced after the mailbox was read is delivered', async () => {
  stored = [createMessage(1)]
  let announced = false
  meanwhile = async () => {
    if (announced) return
    announced = true
    publish(2)
    await flushPromises()
  }
  session.subscribe(topic)
  session.deliverUndelivered([topic])
  await flushPromises()
  await flushPromises()
  expect(received).toEqual(['message 1', 'message 2'])
})

test('a message is delivered in order if another tab of the client acknowledges it while this one reads the mailbox', async () => {
  stored = [createMessage(1), createMessage(3)]
  let announced = false
  meanwhile = async () => {
    if (announced) return
    announced = true
    for (const sequence of [2, 4]) hub.broadcast(createMessage(sequence))
    await flushPromises()
  }
  session.subscribe(topic)
  session.deliverUndelivered([topic])
  await flushPromises()
  await flushPromises()
  expect(received).toEqual(['message 1', 'message 2', 'message 3', 'message 4'])
})

test('a connection keeps at most 256 kB of messages that arrive while it reads the mailbox', async () => {
  stored = []
  let announced = false
  meanwhile = async () => {
    if (announced) return
    announced = true
    const message = 'x'.repeat(100 * 1024)
    for (const sequence of [1, 2, 3, 4]) hub.broadcast({ ...createMessage(sequence), message })
    await flushPromises()
  }
  session.subscribe(topic)
  session.deliverUndelivered([topic])
  await flushPromises()
  await flushPromises()
  expect(received).toHaveLength(2)
})

test('delivery pauses when the client cannot accept a message and resumes in order', async () => {
  session.subscribe(topic)
  session.deliverUndelivered([topic])
  await flushPromises()
  takes = ({ sequence }) => sequence !== 2
  for (const sequence of [1, 2, 3]) publish(sequence)
  await flushPromises()
  expect(received).toEqual(['message 1'])
  takes = () => true
  publish(4)
  await flushPromises()
  expect(received).toEqual(['message 1'])
  session.resume()
  await flushPromises()
  expect(received).toEqual(['message 1', 'message 2', 'message 3', 'message 4'])
})

test('delivery resumes at the same position after a failed mailbox read [R-02]', async () => {
  stored = [createMessage(1)]
  meanwhile = () => Promise.reject(new Error('away'))
  session.subscribe(topic)
  session.deliverUndelivered([topic])
  await flushPromises()
  expect(faults).toHaveLength(1)
  meanwhile = () => undefined
  publish(2)
  session.resume()
  await flushPromises()
  expect(received).toEqual(['message 1', 'message 2'])
})

test('a message stored by another process and announced later is delivered once [R-16]', async () => {
  session.subscribe(topic)
  session.deliverUndelivered([topic])
  await flushPromises()
  publish(2)
  await flushPromises()
  publish(1)
  await flushPromises()
  hub.broadcast(createMessage(2))
  await flushPromises()
  expect(received).toEqual(['message 2', 'message 1'])
})

test('the mailbox is read after a possible bus gap, and no message is sent twice [R-16]', async () => {
  session.subscribe(topic)
  session.deliverUndelivered([topic])
  await flushPromises()
  publish(2)
  await flushPromises()
  stored.unshift(createMessage(1))
  hub.notifyGap([topic, 'b'.repeat(64)])
  await flushPromises()
  expect(received).toEqual(['message 2', 'message 1'])
})

test('after a renumbering all messages are sent, also those under sequences that were sent before [R-02]', async () => {
  session.subscribe(topic)
  stored = [createMessage(1), createMessage(2)]
  session.deliverUndelivered([topic])
  await flushPromises()
  stored = [
    createMessage(1),
    { ...createMessage(2), message: 'between' },
    { ...createMessage(3), message: 'message 2' },
  ]
  hub.notifyRenumbering((affected) => affected === 'b'.repeat(64))
  await flushPromises()
  expect(received).toEqual(['message 1', 'message 2'])
  hub.notifyRenumbering((affected) => affected === topic)
  await flushPromises()
  expect(received.slice(2)).toEqual(['message 1', 'between', 'message 2'])
  expect(forgotten).toEqual([topic])
})

test('the search for missed messages is retried until the mailbox can be read [R-02]', async () => {
  session.subscribe(topic)
  stored = [createMessage(2)]
  session.deliverUndelivered([topic])
  await flushPromises()
  stored.unshift(createMessage(1))
  meanwhile = () => Promise.reject(new Error('away'))
  hub.notifyGap([topic])
  await flushPromises()
  meanwhile = () => undefined
  session.resume()
  await flushPromises()
  expect(received).toEqual(['message 2', 'message 1'])
})

test('publishing a stored message again delivers it if it was not delivered before [R-02]', async () => {
  session.subscribe(topic)
  session.deliverUndelivered([topic])
  await flushPromises()
  stored = [createMessage(1)]
  await session.publish({ topic, message: 'message 1', ttl: 300, tag: 0, attestation: '', isPrompt: false })
  await flushPromises()
  expect(received).toEqual(['message 1'])
})

test('many topics are read at the same time, so that they share a query', async () => {
  const quiet = Array.from({ length: 100 }, (_, index) => index.toString(16).padStart(64, '0'))
  stored = [createMessage(1)]
  let reads = 0
  let end = (): void => undefined
  const held = new Promise<void>((resolve) => (end = resolve))
  meanwhile = () => {
    reads += 1
    return held
  }
  for (const each of [...quiet, topic]) session.subscribe(each)
  session.deliverUndelivered([...quiet, topic])
  await flushPromises()
  expect(reads).toBe(101)
  end()
  await flushPromises()
  expect(received).toEqual(['message 1'])
})

test('delivery stops when the client unsubscribes during it', async () => {
  stored = [createMessage(1), createMessage(2)]
  takes = ({ sequence }) => {
    if (sequence === 1) session.unsubscribe(topic)
    return true
  }
  session.subscribe(topic)
  session.deliverUndelivered([topic])
  await flushPromises()
  publish(3)
  session.resume()
  await flushPromises()
  expect(received).toEqual(['message 1'])
})

test('receipts acknowledge exactly the named undelivered messages', async () => {
  stored = [1, 3, 5, 7, 9].map(createMessage)
  await session.acknowledgeAll([9, 3, 4, 100, 7].map((sequence) => ({ topic, sequence })))
  expect(acknowledged).toEqual([9, 3, 7])
})

test('publishing rejects with StorageError when the store fails, and the cause is reported [R-02]', async () => {
  const fault = new Error('connection lost')
  storing = () => {
    throw fault
  }
  const publishing = session.publish({ topic, message: 'sealed', ttl: 300, tag: 0, attestation: '', isPrompt: false })
  await expect(publishing).rejects.toMatchObject({ code: -32603, data: 'StorageError' })
  expect(faults).toEqual([fault])
})

test('a session sends no frames after it has ended', async () => {
  session.subscribe(topic)
  session.deliverUndelivered([topic])
  await flushPromises()
  session.end()
  publish(1)
  await flushPromises()
  expect(received).toEqual([])
})

test('the session does not keep the last page that it fetched', async () => {
  const last = { ...createMessage(1), message: 'a large message' }
  stored = [last]
  const kept = new WeakRef(await session.fetchUndelivered([topic]))
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  await expect
    .poll(async () => {
      await flushPromises()
      collectGarbage()
      return kept.deref()
    })
    .toBeUndefined()
})
