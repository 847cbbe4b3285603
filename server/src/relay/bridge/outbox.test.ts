import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StoredMessage } from '../mailbox.ts'
import type { Outcome } from './forward.ts'
import { createOutbox, type Outbox } from './outbox.ts'

/** How long a loaded machine may take for what takes milliseconds. */
const soon = { timeout: 10_000 }

const clientId = 'did:key:bridge'
const topic = 'a'.repeat(64)

let kept: StoredMessage[]
let acknowledged: Set<number>
let sent: string[]
/** What the other relay does with a message. */
let answer: (message: StoredMessage) => Promise<Outcome>
let reads: number
let outbox: Outbox

const mailbox = {
  async unread(_client: string, after: number) {
    reads += 1
    const waiting = kept.filter(({ sequence }) => sequence > after && !acknowledged.has(sequence))
    return { messages: waiting.slice(0, 100), hasMore: waiting.length > 100 }
  },
  async acknowledge(sequence: number) {
    acknowledged.add(sequence)
  },
}

beforeEach(() => {
  kept = []
  acknowledged = new Set()
  sent = []
  reads = 0
  answer = async () => 'done'
  outbox = createOutbox({
    clientId,
    mailbox,
    forward: async (message) => {
      sent.push(message.message)
      return answer(message)
    },
    log: Fastify({ logger: false }).log,
  })
})

afterEach(() => outbox.close())

/** Keeps a message, as the mailbox does before anybody hears of it. */
function keep(text: string, change: Partial<StoredMessage> = {}): StoredMessage {
  const times = { publishedAt: 0, expiresAt: 300_000 }
  const sequence = kept.length + 1
  kept.push({
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
  return kept.at(-1) as StoredMessage // It was pushed in the line above.
}

const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `message ${index}`)
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const done = (): number => acknowledged.size

test('sends what waited when it started, oldest first, and then what comes', async () => {
  texts(250).forEach((text) => keep(text))
  outbox.resume()
  outbox.check()
  outbox.add(keep('later'))
  await expect.poll(done, soon).toBe(251)
  expect(sent).toEqual([...texts(250), 'later'])
})

test('sends what comes without reading the mailbox again', async () => {
  outbox.resume()
  outbox.check()
  await expect.poll(() => reads, soon).toBeGreaterThan(0)
  const before = reads
  texts(20).forEach((text) => outbox.add(keep(text)))
  await expect.poll(done, soon).toBe(20)
  expect(sent).toEqual(texts(20))
  expect(reads).toBe(before)
})

test('sends the messages of a topic one after the other, and those of others meanwhile', async () => {
  const onTheWay = new Set<string>()
  let most = 0
  answer = async (message) => {
    expect(onTheWay.has(message.topic)).toBe(false)
    onTheWay.add(message.topic)
    most = Math.max(most, onTheWay.size)
    await turn()
    onTheWay.delete(message.topic)
    return 'done'
  }
  outbox.resume()
  outbox.check()
  for (const text of texts(60)) outbox.add(keep(text, { topic: String(kept.length % 12).padStart(64, '0') }))
  await expect.poll(done, soon).toBe(60)
  expect(most).toBe(8)
})

test('sends again what was on the way when the connection was lost, before what follows', async () => {
  answer = async () => {
    await turn()
    return 'lost'
  }
  outbox.resume()
  outbox.check()
  outbox.add(keep('first'))
  outbox.add(keep('second'))
  for (let turns = 0; turns < 10; turns += 1) await turn()
  expect(sent).toEqual(['first'])
  answer = async () => 'done'
  outbox.resume()
  await expect.poll(done, soon).toBe(2)
  expect(sent).toEqual(['first', 'first', 'second'])
})

test('sends once what is found again while it waits for a connection', async () => {
  texts(3).forEach((text) => keep(text))
  for (let checks = 0; checks < 3; checks += 1) {
    outbox.check()
    await turn()
  }
  outbox.resume()
  await expect.poll(done, soon).toBe(3)
  expect(sent).toEqual(texts(3))
})

test('holds no more than some megabytes while there is no connection, and sends all of it in order after', async () => {
  outbox.check()
  const big = 'x'.repeat(1024 * 1024)
  for (const text of texts(30)) outbox.add(keep(text + big))
  await turn()
  outbox.resume()
  await expect.poll(done, soon).toBe(30)
  expect(sent.map((text) => text.replace(/x+$/, ''))).toEqual(texts(30))
  expect(new Set(sent).size).toBe(30)
})

test('finds at a check what another process kept and did not send', async () => {
  outbox.resume()
  outbox.check()
  outbox.add(keep('ours'))
  await expect.poll(done, soon).toBe(1)
  keep('theirs')
  outbox.check()
  await expect.poll(done, soon).toBe(2)
})

test('finds a message that became visible late, under the sequence of one that was sent', async () => {
  outbox.resume()
  outbox.check()
  const late = keep('late')
  kept.pop()
  outbox.add(keep('in time', { sequence: 2 }))
  await expect.poll(done, soon).toBe(1)
  outbox.check()
  kept.unshift(late)
  outbox.check()
  await expect.poll(done, soon).toBe(2)
})

test('goes on after the database could not be read', async () => {
  const { unread } = mailbox
  mailbox.unread = async () => {
    throw new Error('no database')
  }
  outbox.resume()
  outbox.check()
  await turn()
  mailbox.unread = unread
  outbox.add(keep('first'))
  await expect.poll(done, soon).toBe(1)
})
