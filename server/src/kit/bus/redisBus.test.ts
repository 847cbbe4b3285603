import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { describeBus } from '../../testing/describeBus.ts'
import { startTestRedis, type TestRedis } from '../../testing/brokers/redis.ts'
import type { Bus, BusMessage } from './bus.ts'
import { connectRedisBus } from './redisBus.ts'

const flushPromises = (): Promise<void> => new Promise(setImmediate)
const { log } = Fastify({ logger: false })

describeBus('over Redis', async () => {
  const redis = await startTestRedis()
  return { open: () => connectRedisBus({ url: redis.url, log }), close: redis.close }
})

const toClose: Array<Bus | TestRedis> = []
afterEach(async () => {
  for (const each of toClose.splice(0).toReversed()) await each.close()
})

async function startTwo(): Promise<{ one: Bus; other: Bus; redis: TestRedis }> {
  const redis = await startTestRedis()
  toClose.push(redis)
  const [one, other] = await Promise.all([1, 2].map(() => connectRedisBus({ url: redis.url, log })))
  if (one === undefined || other === undefined) throw new Error('two were asked for')
  toClose.push(one, other)
  return { one, other, redis }
}

test('a ready listener receives the messages of another process', async () => {
  const { one, other } = await startTwo()
  const received: unknown[] = []
  await other.subscribe('topic', ({ n }) => received.push(n)).ready
  for (let n = 1; n <= 100; n += 1) one.publish('topic', { n })
  await vi.waitFor(() => expect(received).toHaveLength(100), 60_000)
  expect(received).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
})

test('a second listener of a channel becomes ready no sooner than the first', async () => {
  const { one, other } = await startTwo()
  const received: unknown[] = []
  const first = other.subscribe('topic', () => undefined)
  await other.subscribe('topic', ({ n }) => received.push(n)).ready
  one.publish('topic', { n: 1 })
  await vi.waitFor(() => expect(received).toEqual([1]), 60_000)
  await first.ready
})

test('every process is notified of a gap after a Redis outage and receives messages again [R-16]', async () => {
  const { one, other, redis } = await startTwo()
  const received: unknown[] = []
  let gaps = 0
  other.onGap(() => (gaps += 1))
  await other.subscribe('topic', ({ n }) => received.push(n)).ready
  await redis.close()
  // A subscription does not wait for Redis while it is unreachable.
  await other.subscribe('topic 2', ({ n }) => received.push(n)).ready
  one.publish('topic', { n: 1 })
  toClose.push(await startTestRedis(redis.port))
  await vi.waitFor(() => expect(gaps).toBeGreaterThan(0), 60_000)
  await vi.waitFor(() => {
    one.publish('topic', { n: 2 })
    one.publish('topic 2', { n: 3 })
    expect(received).toEqual(expect.arrayContaining([2, 3]))
  }, 60_000)
})

test.each([
  ['few', ''],
  ['more than can be kept', 'x'.repeat(200_000)],
])('no message arrives after missed ones before the gap is reported: %s [R-16]', async (_, fill) => {
  const { one, other, redis } = await startTwo()
  const events: Array<number | 'gap'> = []
  other.onGap(() => events.push('gap'))
  await other.subscribe('topic', ({ n }) => typeof n === 'number' && events.push(n)).ready
  // Redis confirms so many channels in several steps. The first one receives messages before the last one is confirmed.
  await Promise.all(
    Array.from({ length: 10_000 }, (_, index) => other.subscribe(`other ${index}`, () => undefined).ready),
  )
  let last = 0
  const publishing = setInterval(() => one.publish('topic', { n: (last += 1), fill }), 1)
  onTestFinished(() => clearInterval(publishing))
  const operator = new Redis(redis.url)
  onTestFinished(() => operator.disconnect())
  await vi.waitFor(() => expect(events).toContain(50), 60_000)
  await operator.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  await vi.waitFor(() => expect(events).toContain('gap'), 60_000)
  const now = last
  await vi.waitFor(() => expect(events.some((event) => event !== 'gap' && event > now)).toBe(true), 60_000)
  const unreported = events.filter((event, index) => {
    const before = events[index - 1] ?? 0
    return event !== 'gap' && before !== 'gap' && event !== before + 1
  })
  expect(unreported).toEqual([])
})

test('a process that could not publish notifies connected processes of a gap [R-16]', async () => {
  const { one, other, redis } = await startTwo()
  let gaps = 0
  other.onGap(() => (gaps += 1))
  // Closes publishing connections and keeps subscribing ones.
  const operator = new Redis(redis.url)
  await operator.call('CLIENT', 'KILL', 'TYPE', 'normal')
  operator.disconnect()
  one.publish('topic', { n: 1 })
  await flushPromises()
  one.publish('topic', { n: 2 })
  await vi.waitFor(() => expect(gaps).toBeGreaterThan(0), 60_000)
})

test('a bus that starts while Redis is unreachable reaches other processes once Redis is back [R-16]', async () => {
  const redis = await startTestRedis()
  await redis.close()
  const one = await connectRedisBus({ url: redis.url, log })
  const two = await connectRedisBus({ url: redis.url, log })
  onTestFinished(async () => {
    await one.close()
    await two.close()
  })
  const received: BusMessage[] = []
  two.subscribe('topic', (message) => received.push(message))
  const back = await startTestRedis(redis.port)
  onTestFinished(back.close)
  await vi.waitFor(() => {
    one.publish('topic', { n: 1 })
    expect(received.length).toBeGreaterThan(0)
  }, 60_000)
})
