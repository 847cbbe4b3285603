import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { IngestMessage } from '../mailbox/ingestMessage.ts'
import type { NewRelayMessage } from '../mailbox/mailbox.ts'
import { createInbox, type Inbox } from './inbox.ts'

/** Timeout for a loaded machine. Normally, these operations take milliseconds. */
const soon = { timeout: 60_000 }

const clientId = 'did:key:bridge'
const topic = 'a'.repeat(64)
const now = 1_800_000_000_000

let stored: NewRelayMessage[]
let outcome: Awaited<ReturnType<IngestMessage>> | Error
let retried: string[]
let waits: Array<() => void>
let inbox: Inbox

beforeEach(() => {
  stored = []
  outcome = 'stored'
  retried = []
  waits = []
  inbox = createInbox({
    clientId,
    ingest: async (published) => {
      if (outcome instanceof Error) throw outcome
      if (outcome === 'stored') stored.push(published)
      return outcome
    },
    clock: { now: () => now },
    log: Fastify({ logger: false }).log,
    retry: (missed) => retried.push(missed),
    wait: () => new Promise((resolve) => waits.push(resolve)),
  })
})

afterEach(() => inbox.close())

const deliver = (change: object = {}, method = 'irn_subscription'): Promise<boolean> => {
  const data = { topic, message: 'sealed', tag: 1109, publishedAt: now, attestation: 'who', ...change }
  return inbox.receive({ idToken: '1', method, params: { id: 'subscription', data } })
}

test('the inbox stores a delivery as its own publication', async () => {
  expect(await deliver()).toBe(true)
  const ttl = 7 * 86_400
  expect(stored).toEqual([
    { topic, message: 'sealed', tag: 1109, attestation: 'who', origin: '', ttl, publisher: clientId },
  ])
})

test.each([undefined, null])('the inbox treats an attestation that is %s as empty', async (attestation) => {
  await deliver({ attestation })
  expect(stored[0]?.attestation).toBe('')
})

test.each([
  ['of a session request', 1108, 3_600, 7 * 86_400 - 3_600],
  ['of another tag', 1100, 3_600, 86_400 - 3_600],
  ['that is old', 1100, 90_000, 300],
  ['from the future', 1100, -3_600, 86_400],
])('the inbox stores a message %s with its remaining lifetime', async (_name, tag, age, ttl) => {
  await deliver({ tag, publishedAt: now - age * 1000 })
  expect(stored[0]?.ttl).toBe(ttl)
})

test('the inbox acknowledges a message that it has already stored', async () => {
  outcome = 'duplicate'
  expect(await deliver()).toBe(true)
})

test.each<[string, Awaited<ReturnType<IngestMessage>> | Error]>([
  ['is full', 'full'],
  ['fails', new Error('no database')],
])(
  'the inbox acknowledges no message of a topic whose mailbox %s, and requests redelivery later',
  async (_name, trouble) => {
    outcome = trouble
    expect(await deliver()).toBe(false)
    outcome = 'stored'
    expect(await deliver({ message: 'overtaking' })).toBe(false)
    expect(await deliver({ topic: 'b'.repeat(64) })).toBe(true)
    expect(retried).toEqual([])
    waits[0]?.()
    await expect.poll(() => retried, soon).toEqual([topic])
    expect(await deliver()).toBe(true)
  },
)

test.each([
  ['without a topic', { topic: undefined }],
  ['with a malformed topic', { topic: 'A'.repeat(64) }],
  ['with an empty message', { message: '' }],
  ['with an invalid tag', { tag: -1 }],
])('the inbox discards a delivery %s', async (_name, change) => {
  expect(await deliver(change)).toBe(true)
  expect(stored).toEqual([])
})

test('the inbox treats no other request as a delivery', async () => {
  expect(await deliver({}, 'irn_publish')).toBe(true)
  expect(stored).toEqual([])
})
