import { expect, test } from 'vitest'
import { createTokenBucket, createTokenBuckets } from './tokenBucket.ts'

const rate = { perSecond: 2, burst: 4 }

test('a bucket allows a burst, then the steady rate', () => {
  let now = 0
  const bucket = createTokenBucket(rate, { now: () => now })
  const take = (): boolean => bucket.take().ok
  expect([take(), take(), take(), take(), take()]).toEqual([true, true, true, true, false])
  now += 500
  expect([take(), take()]).toEqual([true, false])
  now += 60_000
  expect([take(), take(), take(), take(), take()]).toEqual([true, true, true, true, false])
})

test('a bucket returns the seconds to wait and takes no tokens until then', () => {
  const bucket = createTokenBucket(rate, { now: () => 0 })
  bucket.take(3)
  expect(bucket.take(4)).toEqual({ ok: false, retryAfter: 2 })
  expect(bucket.take(1)).toEqual({ ok: true })
})

test('a bucket is unchanged when the clock is set back', () => {
  let now = 10_000
  const bucket = createTokenBucket(rate, { now: () => now })
  bucket.take(3)
  now = 0
  expect(bucket.take(1)).toEqual({ ok: true })
  expect(bucket.take(1).ok).toBe(false)
})

test('buckets count each key separately and evict idle keys only', () => {
  const buckets = createTokenBuckets(rate, { now: () => 0 })
  const busy = buckets.get('busy')
  busy.take(4)
  for (let index = 0; index < 20_000; index += 1) buckets.get(`idle ${index}`)
  expect(buckets.get('busy')).toBe(busy)
  expect(buckets.get('other').take(4).ok).toBe(true)
})

test('a bucket that is limited holds no more tokens, may owe some, and refills at its rate', () => {
  let now = 0
  const bucket = createTokenBucket(rate, { now: () => now })
  bucket.limitTo(1)
  bucket.limitTo(3)
  expect([bucket.take(2), bucket.take(1)]).toEqual([{ ok: false, retryAfter: 1 }, { ok: true }])
  bucket.limitTo(-3)
  expect(bucket.take(1)).toEqual({ ok: false, retryAfter: 2 })
  now += 2_000
  expect([bucket.take(1).ok, bucket.take(1).ok]).toEqual([true, false])
})

test('a bucket keeps the tokens of the time before it is limited', () => {
  let now = 0
  const bucket = createTokenBucket(rate, { now: () => now })
  bucket.take(4)
  now += 1_000
  bucket.limitTo(2)
  expect([bucket.take(2).ok, bucket.take(1).ok]).toEqual([true, false])
})

test('a bucket is full until a token is taken, and again when it has refilled', () => {
  let now = 0
  const bucket = createTokenBucket(rate, { now: () => now })
  expect(bucket.isFull()).toBe(true)
  bucket.take(1)
  now += 499
  expect(bucket.isFull()).toBe(false)
  now += 1
  expect(bucket.isFull()).toBe(true)
})

test('full buckets are deleted with each ten thousandth new key', () => {
  const buckets = createTokenBuckets(rate, { now: () => 0 })
  const idle = buckets.get('idle')
  for (let index = 1; index < 10_000; index += 1) buckets.get(`busy ${index}`).take(1)
  expect(buckets.get('idle')).toBe(idle)
  const next = buckets.get('next')
  const renewed = buckets.get('idle')
  expect(renewed).not.toBe(idle)
  for (let index = 2; index < 10_000; index += 1) buckets.get(`more ${index}`)
  expect([buckets.get('next'), buckets.get('idle')]).toEqual([next, renewed])
  expect(buckets.get('next')).toBe(next)
  buckets.get('last')
  expect(buckets.get('next')).not.toBe(next)
})
