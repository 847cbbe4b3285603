import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { describeRateLimiters } from '../../testing/describeRateLimiters.ts'
import { startTestRedis } from '../../testing/brokers/redis.ts'
import { systemClock } from '../runtime/clock.ts'
import { limitWidePrefixes } from './limitWidePrefixes.ts'
import type { RateLimiters } from './rateLimiters.ts'
import { connectRedisRateLimiters } from './redisRateLimiters.ts'

const { log } = Fastify({ logger: false })
const rate = { perSecond: 0.01, burst: 4 }

const connect = (url: string): Promise<RateLimiters> => connectRedisRateLimiters({ url, clock: systemClock, log })

describeRateLimiters('over Redis', async () => {
  const redis = await startTestRedis()
  return { open: () => connect(redis.url), close: redis.close }
})

test('two processes share one bucket per client', async () => {
  const redis = await startTestRedis()
  onTestFinished(redis.close)
  const processes = [await connect(redis.url), await connect(redis.url)]
  onTestFinished(async () => void (await Promise.all(processes.map((limiters) => limiters.close()))))
  const [one, other] = processes.map((limiters) => limiters.create('shared', rate))
  await one?.take('client', 3)
  expect(await other?.take('client', 2)).toEqual({ ok: false, retryAfter: 100 })
  expect(await other?.take('client')).toEqual({ ok: true })
})

test('an attacker who owns a /48 gets the limit of 16 networks from two processes together [P-04]', async () => {
  const redis = await startTestRedis()
  onTestFinished(redis.close)
  const processes = [await connect(redis.url), await connect(redis.url)].map(limitWidePrefixes)
  onTestFinished(async () => void (await Promise.all(processes.map((limiters) => limiters.close()))))
  const limits = processes.map((limiters) => limiters.create('handshakes', rate))
  const open = processes.map((limiters) => limiters.createConcurrency('connections'))
  let [taken, opened] = [0, 0]
  for (let index = 0; index < 100; index += 1) {
    const network = `2001:db8:1:${index.toString(16)}::/64`
    if ((await limits[index % 2]?.take(network))?.ok) taken += 1
    if ((await open[index % 2]?.acquire(network, 3)) !== undefined) opened += 1
  }
  expect([taken, opened]).toEqual([16 * rate.burst, 16 * 3])
})

test('two processes share the rate of a limit that decides without waiting', async () => {
  const redis = await startTestRedis()
  onTestFinished(redis.close)
  const processes = [await connect(redis.url), await connect(redis.url)]
  onTestFinished(async () => void (await Promise.all(processes.map((limiters) => limiters.close()))))
  const [one, other] = processes.map((limiters) =>
    limiters.createLocalFirst('publishes', { perSecond: 0.01, burst: 1_000 }),
  )
  expect(one?.take('client', 1_000)).toEqual({ ok: true })
  // The report to Redis lowers the bucket of this process, which would else hold 700 more.
  expect(other?.take('client', 300)).toEqual({ ok: true })
  await expect.poll(() => other?.take('client').ok, { interval: 100 }).toBe(false)
  expect(other?.take('another client', 1_000)).toEqual({ ok: true })
})

test(
  'a client that spreads its requests over 16 processes gets the rate once in the long run',
  { tags: 'abuse' },
  async () => {
    const redis = await startTestRedis()
    onTestFinished(redis.close)
    const processes = await Promise.all(Array.from({ length: 16 }, () => connect(redis.url)))
    onTestFinished(async () => void (await Promise.all(processes.map((limiters) => limiters.close()))))
    const fast = { perSecond: 100, burst: 20 }
    const attacked = processes.map((limiters) => limiters.createLocalFirst('publishes', fast))
    const startedAt = performance.now()
    const elapsedSeconds = (): number => (performance.now() - startedAt) / 1_000
    let taken = 0
    while (elapsedSeconds() < 8) {
      for (const limiter of attacked) while (limiter.take('client').ok) taken += 1
      await sleep(10)
    }
    // Each process allows its burst, and what it refills until its next report, before it knows of the others.
    const inAdvance = attacked.length * (fast.burst + fast.perSecond / 2)
    expect(taken).toBeLessThanOrEqual(elapsedSeconds() * fast.perSecond + fast.burst + inAdvance)
  },
)

test('a limit that decides without waiting applies to each process while Redis is unreachable', async () => {
  const limiters = await connect('redis://127.0.0.1:1')
  onTestFinished(limiters.close)
  const limiter = limiters.createLocalFirst('publishes', rate)
  expect(limiter.take('client', rate.burst)).toEqual({ ok: true })
  expect(limiter.take('client')).toEqual({ ok: false, retryAfter: 100 })
})

test('a process applies its own limits while Redis is unreachable', async () => {
  const redis = await startTestRedis()
  const limiters = await connect(redis.url)
  onTestFinished(limiters.close)
  const limiter = limiters.create('alone', rate)
  await redis.close()
  expect(await limiter.take('client', 4)).toEqual({ ok: true })
  expect(await limiter.take('client')).toEqual({ ok: false, retryAfter: 100 })
})

test('a limit that must be shared refuses requests while Redis is unreachable or frozen, and works again afterwards [P-05]', async () => {
  const redis = await startTestRedis()
  const limiters = await connect(redis.url)
  onTestFinished(limiters.close)
  const limiter = limiters.create('shared only', rate, { whileUnavailable: 'refuse' })
  expect(await limiter.take('client')).toEqual({ ok: true })
  redis.freeze()
  await expect(limiter.take('client')).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  await redis.close()
  await expect(limiter.take('client')).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  const again = await startTestRedis(redis.port)
  onTestFinished(again.close)
  await expect.poll(() => limiter.take('client').catch(() => undefined), { interval: 100 }).toEqual({ ok: true })
})

test('a process that starts while Redis is away limits on its own, and refuses what must be shared [P-05]', async () => {
  const limiters = await connect('redis://127.0.0.1:1')
  onTestFinished(limiters.close)
  const own = limiters.create('own', rate)
  expect(await own.take('client', rate.burst)).toEqual({ ok: true })
  expect(await own.take('client')).toMatchObject({ ok: false })
  const shared = limiters.create('shared', rate, { whileUnavailable: 'refuse' })
  await expect(shared.take('client')).rejects.toMatchObject({ status: 503 })
})
