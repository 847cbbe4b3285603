import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectNats, type Nats } from '../../../kit/nats/connectNats.ts'
import { startTestNats, type TestNats } from '../../../testing/brokers/nats.ts'
import type { Mailbox, NewRelayMessage, RelayMessage, StoreResult } from '../mailbox.ts'
import { createJetStreamMailbox } from './createJetStreamMailbox.ts'
import { openPartitions } from './openPartitions.ts'

const { log } = Fastify({ logger: false })
const maxTtl = 30 * 24 * 60 * 60
const limits = { messages: 100, bytes: 10_000_000, bytesPerPublisher: 10_000_000 }
const topic = 'a'.repeat(64)
const clock = { now: () => now }

let server: TestNats
let nats: Nats
let now: number
let lastName = 0
/** A store of its own for each test, with one stream, so that topics share it. */
let open: (change?: { limits?: typeof limits; maxBytes?: number }) => Promise<Mailbox>

beforeAll(async () => {
  server = await startTestNats()
  nats = await connectNats({ url: server.url, log })
})
afterAll(async () => {
  await nats.close()
  await server.close()
})
beforeEach(() => {
  now = 1_800_000_000_000
  lastName += 1
  const name = `test-${lastName}`
  open = async (change = {}) => {
    const { maxBytes } = change
    const partitions = await openPartitions({ nats, name, replicas: 1, maxTtl, partitions: 1, maxBytes })
    return createJetStreamMailbox({ nats, partitions, clock, limits, ...change })
  }
})

const newMessage = (message: string, change: Partial<NewRelayMessage> = {}): NewRelayMessage => ({
  topic,
  message,
  ttl: 300,
  tag: 1108,
  attestation: '',
  origin: '',
  publisher: 'dapp',
  ...change,
})

async function storeOne(mailbox: Mailbox, message: NewRelayMessage): Promise<RelayMessage> {
  const stored = await mailbox.store(message)
  if (stored.outcome !== 'stored') throw new Error(stored.outcome)
  return stored.message
}

async function listTexts(mailbox: Mailbox, client = 'wallet'): Promise<readonly string[]> {
  return (await mailbox.listUndelivered(topic, client, 0)).messages.map(({ message }) => message)
}

const countStored = (results: readonly StoreResult[]): number =>
  results.filter(({ outcome }) => outcome === 'stored').length

test('a receipt that names the message of another topic is ignored, even next to a valid one [R-17]', async () => {
  const mailbox = await open()
  const other = await storeOne(mailbox, newMessage('other', { topic: 'b'.repeat(64) }))
  const receipts = [{ topic, sequence: other.sequence }, other]
  expect(await mailbox.filterUndelivered(receipts, 'wallet')).toEqual([other])
})

test('two processes that publish on one topic at once keep its limit exactly [R-17]', async () => {
  const [one, two] = [
    await open({ limits: { ...limits, messages: 5 } }),
    await open({ limits: { ...limits, messages: 5 } }),
  ]
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).store(newMessage(`message ${index}`))),
  )
  expect(countStored(results)).toBe(5)
  expect(await listTexts(await open())).toHaveLength(5)
})

test('two processes that publish the same text at once store it once [R-07]', async () => {
  const [one, two] = [await open(), await open()]
  for (let round = 0; round < 20; round += 1) {
    const results = await Promise.all([one, two].map((mailbox) => mailbox.store(newMessage(`twin ${round}`))))
    expect(countStored(results)).toBe(1)
  }
  expect(await listTexts(one)).toHaveLength(20)
})

test('a process learns of the messages and receipts of another one', async () => {
  const [one, two] = [
    await open({ limits: { ...limits, messages: 2 } }),
    await open({ limits: { ...limits, messages: 2 } }),
  ]
  const first = await storeOne(one, newMessage('first'))
  await storeOne(two, newMessage('second'))
  expect((await one.store(newMessage('third'))).outcome).toBe('full')
  await two.acknowledge(first, 'wallet')
  expect((await one.store(newMessage('third'))).outcome).toBe('stored')
  expect(await listTexts(one)).toEqual(['second', 'third'])
})

test('a process stores on a topic whose last messages another one has deleted', async () => {
  const [one, two] = [await open(), await open()]
  await storeOne(one, newMessage('stays', { ttl: 3_600 }))
  await storeOne(one, newMessage('expires', { ttl: 30 }))
  now += 31_000
  expect(await two.deleteExpired()).toBe(1)
  await storeOne(one, newMessage('later'))
  expect(await listTexts(two)).toEqual(['stays', 'later'])
})

test('a sweep deletes thousands of expired messages, and keeps the others', async () => {
  const mailbox = await open({ limits: { ...limits, messages: 10_000 } })
  const ttl = (index: number): number => (index % 3 === 0 ? 3_600 : 30)
  await Promise.all(
    Array.from({ length: 3_000 }, (_, index) =>
      mailbox.store(newMessage(`${index}`, { topic: (index % 50).toString(16).padStart(64, '0'), ttl: ttl(index) })),
    ),
  )
  expect(await mailbox.deleteExpired()).toBe(0)
  now += 31_000
  expect(await mailbox.deleteExpired()).toBe(2_000)
  const page = await mailbox.listUndelivered('0'.repeat(64), 'wallet', 0)
  expect(page.messages.map(({ message }) => message)).toEqual(
    Array.from({ length: 60 }, (_, index) => index * 50)
      .filter((each) => each % 3 === 0)
      .map(String),
  )
})

test('a full stream refuses messages, keeps those that it has, and accepts more when some have expired [R-04]', async () => {
  const mailbox = await open({ maxBytes: 200_000 })
  let stored = 0
  const fill = async (): Promise<void> => {
    for (;;) {
      await storeOne(mailbox, newMessage(`${stored} ${'x'.repeat(20_000)}`, { ttl: 30 }))
      stored += 1
    }
  }
  await expect(fill()).rejects.toThrow('maximum bytes exceeded')
  expect(stored).toBeGreaterThan(5)
  expect(await listTexts(mailbox)).toHaveLength(stored)
  now += 31_000
  expect(await mailbox.deleteExpired()).toBe(stored)
  expect((await mailbox.store(newMessage('more'))).outcome).toBe('stored')
})
