import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestRedis, type TestRedis } from '../../testing/brokers/redis.ts'
import { connectRedis } from '../bus/connectRedis.ts'
import type { ConcurrencyLimiter, Release } from './concurrencyLimiter.ts'
import { createRedisConcurrency } from './redisConcurrency.ts'

type Process = {
  limiter: ConcurrencyLimiter
  /** Ends it as an operator does. */
  stop(): Promise<void>
  /** Ends its connection, as if it was killed. */
  kill(): void
}

const { log } = Fastify({ logger: false })
const closers: (() => unknown)[] = []
let redis: TestRedis

beforeEach(async () => {
  redis = await startTestRedis()
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  await redis.close()
})

async function start(): Promise<Process> {
  const client = await connectRedis(redis.url, { commandTimeout: 500, log })
  const concurrency = createRedisConcurrency(client)
  closers.push(() => client.disconnect(), concurrency.close)
  return { limiter: concurrency.create('connections'), stop: concurrency.close, kill: () => client.disconnect() }
}

/** Acquires as many as possible. */
async function fill({ limiter }: Process, key: string, maximum: number): Promise<readonly Release[]> {
  const releases: Release[] = []
  for (;;) {
    const release = await limiter.acquire(key, maximum)
    if (release === undefined) return releases
    releases.push(release)
  }
}

test('processes share what is open of a key', async () => {
  const [one, other] = [await start(), await start()]
  const release = await one.limiter.acquire('client', 3)
  expect(await fill(other, 'client', 3)).toHaveLength(2)
  expect(await one.limiter.acquire('client', 3)).toBeUndefined()
  release?.()
  await expect.poll(async () => (await fill(other, 'client', 3)).length).toBe(1)
})

test('what was open in a process that was stopped counts no longer', async () => {
  const [one, other] = [await start(), await start()]
  expect(await fill(one, 'client', 3)).toHaveLength(3)
  expect(await other.limiter.acquire('client', 3)).toBeUndefined()
  await one.stop()
  expect(await fill(other, 'client', 3)).toHaveLength(3)
})

test('what was open in a process that was killed counts no longer after some seconds', { tags: 'faults' }, async () => {
  const [one, other] = [await start(), await start()]
  expect(await fill(one, 'client', 3)).toHaveLength(3)
  one.kill()
  expect(await other.limiter.acquire('client', 3)).toBeUndefined()
  await expect.poll(() => other.limiter.acquire('client', 3), { timeout: 60_000 }).toBeDefined()
})

test('a Redis that lost its data learns again what is open', async () => {
  const [one, other] = [await start(), await start()]
  const releases = await fill(one, 'client', 3)
  await redis.close()
  // Each process limits on its own meanwhile.
  expect(await one.limiter.acquire('client', 3)).toBeUndefined()
  expect(await fill(other, 'client', 2)).toHaveLength(2)
  releases[0]?.()
  redis = await startTestRedis(redis.port)
  const isRefused = async (maximum: number): Promise<boolean> => {
    const release = await other.limiter.acquire('client', maximum)
    release?.()
    return release === undefined
  }
  await expect.poll(() => isRefused(4), { timeout: 60_000 }).toBe(true)
  expect(await isRefused(5)).toBe(false)
})

test('a maximum that was reached while Redis was away is not exceeded by counts that are left', async () => {
  const [one, other] = [await start(), await start()]
  const releases = await fill(one, 'client', 3)
  redis.freeze()
  for (const release of releases) release()
  await redis.close()
  redis = await startTestRedis(redis.port)
  await expect.poll(async () => (await fill(other, 'client', 3)).length, { timeout: 60_000 }).toBe(3)
})
