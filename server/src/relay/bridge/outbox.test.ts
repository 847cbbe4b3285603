import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MailboxPosition, Receipt, RelayMessage } from '../mailbox/mailbox.ts'
import type { ForwardResult } from './forwardMessage.ts'
import { createOutbox, type Outbox } from './outbox.ts'

/** Timeout for a loaded machine. Normally, these operations take milliseconds. */
const soon = { timeout: 60_000 }

const clientId = 'did:key:bridge'
const topic = 'a'.repeat(64)

let stored: RelayMessage[]
let acknowledged: Set<number>
let sent: string[]
/** The other relay's handling of a message. */
let response: (message: RelayMessage) => Promise<ForwardResult>
let reads: number
let outbox: Outbox

const mailbox = {
  async listAllUndelivered(_client: string, after: MailboxPosition) {
    reads += 1
    const waiting = stored.filter(({ sequence }) => sequence > Number(after) && !acknowledged.has(sequence))
    const messages = waiting.slice(0, 100)
    return { messages, hasMore: waiting.length > 100, position: messages.at(-1)?.sequence ?? after }
  },
  async acknowledge({ sequence }: Receipt) {
    acknowledged.add(sequence)
  },
}

beforeEach(() => {
  stored = []
  acknowledged = new Set()
  sent = []
  reads = 0
  response = async () => 'done'
  outbox = createOutbox({
    clientId,
    mailbox,
    forward: async (message) => {
      sent.push(message.message)
      return response(message)
    },
    log: Fastify({ logger: false }).log,
  })
})

afterEach(() => outbox.close())

/** Keeps a message, as the mailbox does before it is delivered. */
function storeMessage(text: string, change: Partial<RelayMessage> = {}): RelayMessage {
  const times = { publishedAt: 0, expiresAt: 300_000 }
  const sequence = stored.length + 1
  stored.push({
    sequence,
    topic,
    message: text,
    tag: 1108,
    attestation: '',
    origin: '',
    publisher: 'did:key:dapp',
    ...times,
    ...change,
  })
  return stored.at(-1) as RelayMessage // It was pushed in the line above.
}

const createTexts = (count: number): string[] => Array.from({ length: count }, (_, index) => `message ${index}`)
const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const countAcknowledged = (): number => acknowledged.size

test('the outbox sends stored messages oldest first, then new ones', async () => {
  createTexts(250).forEach((text) => storeMessage(text))
  outbox.resume()
  outbox.check()
  outbox.add(storeMessage('later'))
  await expect.poll(countAcknowledged, soon).toBe(251)
  expect(sent).toEqual([...createTexts(250), 'later'])
})

test('the outbox sends new messages without reading the mailbox again', async () => {
  outbox.resume()
  outbox.check()
  await expect.poll(() => reads, soon).toBeGreaterThan(0)
  const before = reads
  createTexts(20).forEach((text) => outbox.add(storeMessage(text)))
  await expect.poll(countAcknowledged, soon).toBe(20)
  expect(sent).toEqual(createTexts(20))
  expect(reads).toBe(before)
})

test('the outbox sends the messages of one topic in sequence and other topics concurrently', async () => {
  const pending = new Set<string>()
  let most = 0
  response = async (message) => {
    expect(pending.has(message.topic)).toBe(false)
    pending.add(message.topic)
    most = Math.max(most, pending.size)
    await flushPromises()
    pending.delete(message.topic)
    return 'done'
  }
  outbox.resume()
  outbox.check()
  for (const text of createTexts(60))
    outbox.add(storeMessage(text, { topic: String(stored.length % 12).padStart(64, '0') }))
  await expect.poll(countAcknowledged, soon).toBe(60)
  expect(most).toBe(8)
})

test('the outbox resends pending messages after a lost connection, before later ones', async () => {
  response = async () => {
    await flushPromises()
    return 'lost'
  }
  outbox.resume()
  outbox.check()
  outbox.add(storeMessage('first'))
  outbox.add(storeMessage('second'))
  for (let turns = 0; turns < 10; turns += 1) await flushPromises()
  expect(sent).toEqual(['first'])
  response = async () => 'done'
  outbox.resume()
  await expect.poll(countAcknowledged, soon).toBe(2)
  expect(sent).toEqual(['first', 'first', 'second'])
})

test('the outbox sends a message once if it is found again while disconnected', async () => {
  createTexts(3).forEach((text) => storeMessage(text))
  for (let checks = 0; checks < 3; checks += 1) {
    outbox.check()
    await flushPromises()
  }
  outbox.resume()
  await expect.poll(countAcknowledged, soon).toBe(3)
  expect(sent).toEqual(createTexts(3))
})

test('the outbox holds a few megabytes while disconnected and sends everything in order afterwards', async () => {
  outbox.check()
  const big = 'x'.repeat(1024 * 1024)
  for (const text of createTexts(30)) outbox.add(storeMessage(text + big))
  await flushPromises()
  outbox.resume()
  await expect.poll(countAcknowledged, soon).toBe(30)
  expect(sent.map((text) => text.replace(/x+$/, ''))).toEqual(createTexts(30))
  expect(new Set(sent).size).toBe(30)
})

test('a check finds the messages that another process stored and did not send', async () => {
  outbox.resume()
  outbox.check()
  outbox.add(storeMessage('ours'))
  await expect.poll(countAcknowledged, soon).toBe(1)
  storeMessage('theirs')
  outbox.check()
  await expect.poll(countAcknowledged, soon).toBe(2)
})

test('a check finds a message that became visible late with a lower sequence number than a sent one', async () => {
  outbox.resume()
  outbox.check()
  const late = storeMessage('late')
  stored.pop()
  outbox.add(storeMessage('in time', { sequence: 2 }))
  await expect.poll(countAcknowledged, soon).toBe(1)
  outbox.check()
  stored.unshift(late)
  outbox.check()
  await expect.poll(countAcknowledged, soon).toBe(2)
})

test('the outbox continues after a failed database read', async () => {
  const { listAllUndelivered } = mailbox
  mailbox.listAllUndelivered = async () => {
    throw new Error('no database')
  }
  outbox.resume()
  outbox.check()
  await flushPromises()
  mailbox.listAllUndelivered = listAllUndelivered
  outbox.add(storeMessage('first'))
  await expect.poll(countAcknowledged, soon).toBe(1)
})
