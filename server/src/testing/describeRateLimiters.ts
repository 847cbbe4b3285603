import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RateLimiters } from '../kit/limits/rateLimiters.ts'

/** A store of rate limits, which the processes of one server open. */
export type RateLimiterWorld = { open(): Promise<RateLimiters>; close(): Promise<void> }

/**
 * The contract of every implementation of RateLimiters.
 *
 * @param openWorld opens the store of a suite once
 */
export function describeRateLimiters(name: string, openWorld: () => Promise<RateLimiterWorld>): void {
  describe(`rate limiters ${name}`, () => {
    let world: RateLimiterWorld
    let limiters: RateLimiters

    beforeAll(async () => {
      world = await openWorld()
      limiters = await world.open()
    })
    afterAll(async () => {
      await limiters.close()
      await world.close()
    })

    describeTokenBuckets(() => limiters)
    describeConcurrencyLimits(() => limiters)
  })
}

function describeTokenBuckets(get: () => RateLimiters): void {
  const rate = { perSecond: 0.01, burst: 4 }

  test('take allows a burst, then returns when to retry', async () => {
    const limiter = get().create('burst', rate)
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => limiter.take('client')))
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true, false])
    expect(results[4]).toEqual({ ok: false, retryAfter: 100 })
  })

  test('take removes several tokens, or none', async () => {
    const limiter = get().create('several', rate)
    await limiter.take('client', 3)
    expect(await limiter.take('client', 4)).toEqual({ ok: false, retryAfter: 300 })
    expect(await limiter.take('client')).toEqual({ ok: true })
    expect((await limiter.take('client')).ok).toBe(false)
  })

  test('take refills with time', async () => {
    const limiter = get().create('refill', { perSecond: 20, burst: 1 })
    await limiter.take('client')
    await expect.poll(() => limiter.take('client'), { interval: 20 }).toEqual({ ok: true })
  })

  test('keys and names have separate buckets', async () => {
    const limiter = get().create('own', rate)
    await limiter.take('client', 4)
    expect((await limiter.take('other', 4)).ok).toBe(true)
    expect((await get().create('own too', rate).take('client', 4)).ok).toBe(true)
  })
}

function describeConcurrencyLimits(get: () => RateLimiters): void {
  test('a concurrency limit allows its maximum, and again as many after a release', async () => {
    const limiter = get().createConcurrency('open')
    const first = await limiter.acquire('client', 2)
    expect(first).toBeDefined()
    expect(await limiter.acquire('client', 2)).toBeDefined()
    expect(await limiter.acquire('client', 2)).toBeUndefined()
    expect(await limiter.acquire('another client', 2)).toBeDefined()
    first?.()
    first?.()
    expect(await limiter.acquire('client', 2)).toBeDefined()
    expect(await limiter.acquire('client', 2)).toBeUndefined()
  })

  test('concurrent requests never exceed a concurrency limit', async () => {
    const limiter = get().createConcurrency('at once')
    const acquired = await Promise.all(Array.from({ length: 50 }, () => limiter.acquire('client', 10)))
    expect(acquired.filter((release) => release !== undefined)).toHaveLength(10)
  })
}
