import { manualClock } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { limitWidePrefixes } from './limitWidePrefixes.ts'
import { createInProcessRateLimiters } from './rateLimiters.ts'

const rate = { perSecond: 1, burst: 2 }
/** Another /64 of the same /48 for each number. */
const networkOf = (index: number, site = '2001:db8:1'): string => `${site}:${index.toString(16)}::/64`
const createLimiters = () => limitWidePrefixes(createInProcessRateLimiters(manualClock()))

test('an attacker who owns a /48 gets the limit of 16 networks, not of 65,536 [P-04]', async () => {
  const limiter = createLimiters().create('test', rate)
  const results = []
  for (let index = 0; index < 100; index += 1) results.push(await limiter.take(networkOf(index)))
  expect(results.filter(({ ok }) => ok)).toHaveLength(32)
  expect(results.at(-1)).toEqual({ ok: false, retryAfter: 1 })
  // Another site is not affected.
  expect(await limiter.take(networkOf(1, '2001:db8:2'))).toEqual({ ok: true })
})

test('a limit that decides without waiting counts the /48, too [P-04]', () => {
  const limiter = createLimiters().createLocalFirst('test', rate)
  const results = Array.from({ length: 100 }, (_, index) => limiter.take(networkOf(index)))
  expect(results.filter(({ ok }) => ok)).toHaveLength(32)
})

test('an attacker who owns a /48 opens as many connections as 16 networks may [P-04]', async () => {
  const limiter = createLimiters().createConcurrency('test')
  const releases = []
  for (let index = 0; index < 100; index += 1) releases.push(await limiter.acquire(networkOf(index), 3))
  expect(releases.filter((release) => release !== undefined)).toHaveLength(48)
  for (const release of releases) release?.()
  // Refused attempts do not count, and released connections are free again.
  expect(await limiter.acquire(networkOf(99), 1)).toBeTypeOf('function')
})

test('one network is limited as before, and so are keys that are no IPv6 network', async () => {
  const limiter = createLimiters().create('test', rate)
  for (const key of [networkOf(1), '192.0.2.1', 'did:key:z6Mk', '::1']) {
    const results = [await limiter.take(key), await limiter.take(key), await limiter.take(key)]
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false])
  }
})

test('addresses in a short form belong to their /48', async () => {
  const limiter = createLimiters().create('test', { perSecond: 1, burst: 1 })
  const keys = Array.from({ length: 20 }, (_, index) => `2001:0:0:${index}::/64`)
  const results = []
  for (const key of keys) results.push(await limiter.take(key))
  expect(results.filter(({ ok }) => ok)).toHaveLength(16)
})
