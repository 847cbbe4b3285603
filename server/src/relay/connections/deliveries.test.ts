import { beforeEach, expect, test } from 'vitest'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'

let now: number
let sent: string[]
let isFull: boolean
let deliveries: Deliveries

beforeEach(() => {
  now = 0
  sent = []
  isFull = false
  deliveries = createDeliveries({
    writer: {
      sendResponse: (text) => void sent.push(text),
      trySendMessage: (write) => !isFull && sent.push(write()) > 0,
      checkProgress: () => undefined,
      close: () => undefined,
      end: () => undefined,
    },
    metrics: { countDelivery: () => undefined },
    clock: { now: () => now },
    attest: () => '',
    onRoom: () => undefined,
  })
})

function newMessage(sequence: number): RelayMessage {
  const facts = { topic: 'ab'.repeat(32), ttl: 300, tag: 1108, prompt: false, publisher: 'ann', publishedAt: 0 }
  return { ...facts, sequence, message: `message ${sequence}`, attestation: '', origin: '', expiresAt: 300_000 }
}

const dataOf = (message: string): object => ({
  topic: 'ab'.repeat(32),
  message,
  publishedAt: 0,
  tag: 1108,
  attestation: '',
})
const push = (sequence: number): boolean => deliveries.push('subscription', newMessage(sequence))
const listOverdue = (): readonly number[] => deliveries.takeOverdue().map(({ sequence }) => sequence)

test('a delivery is overdue when it was not acknowledged for 10 seconds, and only once', () => {
  push(1)
  now = 5_000
  push(2)
  now = 10_000
  expect(listOverdue()).toEqual([])
  now = 10_001
  expect(listOverdue()).toEqual([1])
  now = 15_001
  expect(listOverdue()).toEqual([2])
  expect(listOverdue()).toEqual([])
})

test('the acknowledgement of a forgotten delivery names no message, and it is never overdue [R-02]', () => {
  push(1)
  deliveries.forgetSent(new Set(['cd'.repeat(32)]))
  push(2)
  expect(deliveries.takeMessage(1)).toMatchObject({ sequence: 1 })
  deliveries.forgetSent(new Set(['ab'.repeat(32)]))
  expect(deliveries.takeMessage(2)).toBeUndefined()
  now = 1_000_000
  expect(listOverdue()).toEqual([])
})

test('an acknowledged delivery is never overdue', () => {
  push(1)
  expect(deliveries.takeMessage(1)).toMatchObject({ sequence: 1 })
  now = 1_000_000
  expect(listOverdue()).toEqual([])
})

test('the time allowed doubles with each repetition of a message, and is short again after its acknowledgement', () => {
  for (const allowed of [10_000, 20_000, 40_000, 80_000]) {
    push(1)
    now += allowed
    expect(listOverdue()).toEqual([])
    now += 1
    expect(listOverdue()).toEqual([1])
  }
  push(1)
  expect(deliveries.takeMessage(5)).toMatchObject({ sequence: 1 })
  push(1)
  now += 10_001
  expect(listOverdue()).toEqual([1])
})

test('the repetitions of one message do not delay the others', () => {
  push(1)
  now += 10_001
  expect(listOverdue()).toEqual([1])
  push(1)
  push(2)
  now += 10_001
  expect(listOverdue()).toEqual([2])
})

test('the acknowledgement of a delivery that has been repeated since is ignored', () => {
  push(1)
  now += 10_001
  listOverdue()
  push(1)
  expect(deliveries.takeMessage(1)).toBeUndefined()
  expect(deliveries.takeMessage(2)).toMatchObject({ sequence: 1 })
})

test('a message that the client cannot take now is not a delivery', () => {
  isFull = true
  expect(push(1)).toBe(false)
  isFull = false
  push(2)
  expect(sent.map((text): unknown => JSON.parse(text))).toEqual([
    { id: 1, jsonrpc: '2.0', method: 'irn_subscription', params: { id: 'subscription', data: dataOf('message 2') } },
  ])
})

test.each(['', 'a"b', 'a\\b', 'line\n', '\u{1f511}é', '<script>', 'sealed+/=_-.'])(
  'a delivery contains the message %j unchanged',
  (message) => {
    expect(deliveries.push('subscription', { ...newMessage(1), message })).toBe(true)
    expect(JSON.parse(sent[0] ?? '')).toMatchObject({ params: { data: dataOf(message) } })
  },
)

test('2,000 deliveries may wait for their acknowledgement, and overdue ones make room', () => {
  for (let sequence = 1; sequence <= 2_000; sequence++) expect(push(sequence)).toBe(true)
  expect(push(2_001)).toBe(false)
  now += 10_001
  expect(listOverdue()).toHaveLength(2_000)
  expect(push(2_001)).toBe(true)
})

test('the repetitions of messages that expired without an acknowledgement are forgotten', () => {
  for (let sequence = 1; sequence <= 10_000; sequence++) {
    push(sequence)
    now += 10_001
    listOverdue()
  }
  push(1)
  now += 10_001
  expect(listOverdue()).toEqual([1])
})

test('a client gets one response for free per delivery, whatever id it has', () => {
  push(1)
  push(2)
  deliveries.takeMessage(1)
  expect(deliveries.countResponse()).toBe(true)
  expect(deliveries.countResponse()).toBe(true)
  expect(deliveries.countResponse()).toBe(false)
  push(3)
  expect(deliveries.countResponse()).toBe(true)
})
