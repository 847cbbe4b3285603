import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { describeBus } from '../../testing/describeBus.ts'
import { startTestNats, type TestNats } from '../../testing/brokers/nats.ts'
import type { Bus } from './bus.ts'
import { connectNatsBus } from './natsBus.ts'

const { log } = Fastify({ logger: false })

describeBus('over NATS', async () => {
  const nats = await startTestNats()
  return { open: () => connectNatsBus({ url: nats.url, name: 'test', log }), close: nats.close }
})

const toClose: Array<Bus | TestNats> = []
afterEach(async () => {
  for (const each of toClose.splice(0).toReversed()) await each.close()
})

async function startTwo(): Promise<{ one: Bus; other: Bus; nats: TestNats }> {
  const nats = await startTestNats()
  const [one, other] = [
    await connectNatsBus({ url: nats.url, name: 'test', log }),
    await connectNatsBus({ url: nats.url, name: 'test', log }),
  ]
  toClose.push(nats, one, other)
  return { one, other, nats }
}

test('a ready listener receives the messages of another process in their order', async () => {
  const { one, other } = await startTwo()
  const received: unknown[] = []
  await other.subscribe('relay/topic', ({ n }) => received.push(n)).ready
  for (let n = 1; n <= 100; n += 1) one.publish('relay/topic', { n })
  await vi.waitFor(() => expect(received).toHaveLength(100), 60_000)
  expect(received).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
})

test('a channel whose name has wildcards of NATS receives only its own messages', async () => {
  const { one, other } = await startTwo()
  const received: string[] = []
  await other.subscribe('a.*', () => received.push('star')).ready
  await other.subscribe('>', () => received.push('rest')).ready
  await other.subscribe('a.b', () => received.push('own')).ready
  one.publish('a.b', { n: 1 })
  await vi.waitFor(() => expect(received).toEqual(['own']), 60_000)
  one.publish('a.*', { n: 1 })
  await vi.waitFor(() => expect(received).toEqual(['own', 'star']), 60_000)
})

test('every process is notified of a gap after an outage of NATS and receives messages again [R-16]', async () => {
  const { one, other, nats } = await startTwo()
  const received: unknown[] = []
  let gaps = 0
  other.onGap(() => (gaps += 1))
  await other.subscribe('topic', ({ n }) => received.push(n)).ready
  const [server] = nats.servers
  await server?.kill()
  one.publish('topic', { n: 1 })
  await server?.start()
  await vi.waitFor(() => expect(gaps).toBeGreaterThan(0), 60_000)
  await vi.waitFor(() => {
    one.publish('topic', { n: 2 })
    expect(received).toContain(2)
  }, 60_000)
  expect(received).not.toContain(1)
})
