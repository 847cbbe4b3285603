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
