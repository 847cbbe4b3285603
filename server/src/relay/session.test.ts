import { beforeEach, expect, test } from 'vitest'
import { createInProcessBus } from '../kit/bus.ts'
import { relayLimits } from './config.ts'
import { createHub, type Hub } from './hub.ts'
import type { Mailbox, StoredMessage } from './mailbox.ts'
import { createRelayIdentity } from './identity.ts'
import { createQuotas } from './quotas.ts'
import { createSession, type Session } from './session.ts'
import { joinTaps } from './tap.ts'

const topic = 'a'.repeat(64)

let kept: StoredMessage[]
let hub: Hub
/** What happens while the mailbox is read: after it looked, before it answers. */
let meanwhile: () => void | Promise<void>
/** What happens when a message is to be stored. */
let storing: () => void
let takes: (message: StoredMessage) => boolean
let received: string[]
let acknowledged: number[]
let faults: unknown[]
let session: Session

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

function message(sequence: number): StoredMessage {
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
  kept.push(message(sequence))
  hub.announce(message(sequence))
}

/** Two messages a page, so that a few make several. */
const mailbox: Mailbox = {
  async store(publication) {
    storing()
    return kept.some(({ message }) => message === publication.message)
      ? { outcome: 'repeat' }
      : { outcome: 'stored', message: { ...publication, sequence: 1, publishedAt: 0, expiresAt: 1 } }
  },
  waiting: async (topics) => topics.filter((each) => kept.some((message) => message.topic === each)),
  unread: async () => ({ messages: [], hasMore: false }),
  unheard: async () => ({ topics: [], last: 0 }),
  async undelivered(_topic, _client, after) {
    const found = kept.filter(({ sequence }) => sequence > after)
    await meanwhile()
    return { messages: found.slice(0, 2), hasMore: found.length > 2 }
  },
  acknowledge: async (sequence) => void acknowledged.push(sequence),
  sweep: async () => 0,
  idle: async () => {},
}

beforeEach(() => {
  kept = []
  received = []
  acknowledged = []
  faults = []
  storing = () => undefined
  meanwhile = () => undefined
  takes = () => true
  hub = createHub(createInProcessBus())
  session = createSession({
    clientId: 'wallet',
    origin: '',
    wantsOrigins: false,
    clock: { now: () => 0 },
    limits: relayLimits('local'),
    watches: {
      identity: createRelayIdentity(new Uint8Array(32)),
      register: async () => {},
      unregister: async () => {},
    },
    quotas: createQuotas(relayLimits('local'), { now: () => 0 }),
    mailbox,
    hub,
    tap: joinTaps([]),
    push: (_id, pushed) => {
      if (!takes(pushed)) return false
      received.push(pushed.message)
      return true
    },
    onFault: (fault) => faults.push(fault),
  })
})

test('sends nothing before the subscription is answered, and then what came before it first', async () => {
  kept = [message(1), message(2), message(3)]
  session.subscribe(topic)
  publish(4)
  await turn()
  expect(received).toEqual([])
  session.deliverWaiting([topic])
  await turn()
  expect(received).toEqual(['message 1', 'message 2', 'message 3', 'message 4'])
})

test('sends what is announced after the mailbox was looked at', async () => {
  kept = [message(1)]
  let announced = false
  meanwhile = async () => {
    if (announced) return
    announced = true
    publish(2)
    await turn()
  }
  session.subscribe(topic)
  session.deliverWaiting([topic])
  await turn()
  await turn()
  expect(received).toEqual(['message 1', 'message 2'])
})

test('waits with all that follows when the client cannot take a message, and goes on in order', async () => {
  session.subscribe(topic)
  session.deliverWaiting([topic])
  await turn()
  takes = ({ sequence }) => sequence !== 2
  for (const sequence of [1, 2, 3]) publish(sequence)
  await turn()
  expect(received).toEqual(['message 1'])
  takes = () => true
  publish(4)
  await turn()
  expect(received).toEqual(['message 1'])
  session.resume()
  await turn()
  expect(received).toEqual(['message 1', 'message 2', 'message 3', 'message 4'])
})

test('goes on where it stopped when the mailbox could not be read [R-02]', async () => {
  kept = [message(1)]
  meanwhile = () => Promise.reject(new Error('away'))
  session.subscribe(topic)
  session.deliverWaiting([topic])
  await turn()
  expect(faults).toHaveLength(1)
  meanwhile = () => undefined
  publish(2)
  session.resume()
  await turn()
  expect(received).toEqual(['message 1', 'message 2'])
})

test('sends what another process kept earlier and announces later, once [R-16]', async () => {
  session.subscribe(topic)
  session.deliverWaiting([topic])
  await turn()
  publish(2)
  await turn()
  publish(1)
  await turn()
  hub.announce(message(2))
  await turn()
  expect(received).toEqual(['message 2', 'message 1'])
})

test('looks into the mailbox when an announcement may have been lost, and sends nothing twice [R-16]', async () => {
  session.subscribe(topic)
  session.deliverWaiting([topic])
  await turn()
  publish(2)
  await turn()
  kept.unshift(message(1))
  hub.reportMissed([topic, 'b'.repeat(64)])
  await turn()
  expect(received).toEqual(['message 2', 'message 1'])
})

test('looks for what may have been lost until the mailbox could be read [R-02]', async () => {
  session.subscribe(topic)
  kept = [message(2)]
  session.deliverWaiting([topic])
  await turn()
  kept.unshift(message(1))
  meanwhile = () => Promise.reject(new Error('away'))
  hub.reportMissed([topic])
  await turn()
  meanwhile = () => undefined
  session.resume()
  await turn()
  expect(received).toEqual(['message 2', 'message 1'])
})

test('looks for a message that is published again, of which nobody may have been told [R-02]', async () => {
  session.subscribe(topic)
  session.deliverWaiting([topic])
  await turn()
  kept = [message(1)]
  await session.publish({ topic, message: 'message 1', ttl: 300, tag: 0, attestation: '' })
  await turn()
  expect(received).toEqual(['message 1'])
})

test('asks about many topics at once, and reads only those that hold something', async () => {
  const quiet = Array.from({ length: 100 }, (_, index) => index.toString(16).padStart(64, '0'))
  kept = [message(1)]
  let reads = 0
  meanwhile = () => void (reads += 1)
  for (const each of [...quiet, topic]) session.subscribe(each)
  session.deliverWaiting([...quiet, topic])
  await turn()
  expect(received).toEqual(['message 1'])
  expect(reads).toBe(1)
})

test('stops in the middle when the client unsubscribes', async () => {
  kept = [message(1), message(2)]
  takes = ({ sequence }) => {
    if (sequence === 1) session.unsubscribe(topic)
    return true
  }
  session.subscribe(topic)
  session.deliverWaiting([topic])
  await turn()
  publish(3)
  session.resume()
  await turn()
  expect(received).toEqual(['message 1'])
})

test('takes receipts for those messages that they name and that wait, over as many pages as it takes', async () => {
  kept = [1, 3, 5, 7, 9].map(message)
  await session.receive(topic, [9, 3, 3, 4, 100, 7])
  expect(acknowledged).toEqual([3, 7, 9])
})

test('tells a publisher that the store failed, and reports why [R-02]', async () => {
  const fault = new Error('connection lost')
  storing = () => {
    throw fault
  }
  const publishing = session.publish({ topic, message: 'sealed', ttl: 300, tag: 0, attestation: '' })
  await expect(publishing).rejects.toMatchObject({ code: -32603, data: 'StorageError' })
  expect(faults).toEqual([fault])
})

test('sends nothing after its end', async () => {
  session.subscribe(topic)
  session.deliverWaiting([topic])
  await turn()
  session.end()
  publish(1)
  await turn()
  expect(received).toEqual([])
})
