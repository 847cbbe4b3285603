import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLocalFirstLimiter } from './localFirstLimiter.ts'
import { createTokenBucket, type Rate } from './tokenBucket.ts'

const rate: Rate = { perSecond: 10, burst: 20 }

/** The time in seconds, and shared buckets. */
function shareBuckets() {
  let now = 0
  let tokens = rate.burst
  let filledAt = 0
  const clock = { now: () => now }
  async function subtractShared(taken: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    return new Map(
      [...taken].map(([key, count]) => {
        tokens = Math.min(rate.burst, tokens + ((now - filledAt) / 1_000) * rate.perSecond)
        filledAt = now
        tokens -= count
        return [key, tokens]
      }),
    )
  }
  return { clock, subtractShared, pass: (seconds: number) => void (now += seconds * 1_000) }
}

test('several processes together allow the rate once, and each a burst', async () => {
  const { clock, subtractShared, pass } = shareBuckets()
  const processes = Array.from({ length: 4 }, () => createLocalFirstLimiter({ rate, clock, subtractShared }))
  let taken = 0
  for (let second = 0; second < 12; second += 1) {
    for (const { take } of processes) while (take('client').ok) taken += 1
    // Longer than two reports are apart.
    await sleep(300)
    pass(1)
  }
  expect(taken).toBeLessThanOrEqual(12 * rate.perSecond + (processes.length + 1) * rate.burst)
})

test('a lone process decides like a token bucket, whatever it is asked', () => {
  const steps = fc.array(fc.record({ passed: fc.nat(3_000), tokens: fc.integer({ min: 1, max: 25 }) }))
  fc.assert(
    fc.property(steps, (requests) => {
      let now = 0
      const clock = { now: () => now }
      const [limiter, bucket] = [createLocalFirstLimiter({ rate, clock }), createTokenBucket(rate, clock)]
      for (const { passed, tokens } of requests) {
        now += passed
        expect(limiter.take('client', tokens)).toEqual(bucket.take(tokens))
      }
    }),
  )
})

test('a key that uses little is not reported', async () => {
  const reports: ReadonlyMap<string, number>[] = []
  const subtractShared = async (taken: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> => {
    reports.push(taken)
    return new Map()
  }
  const limiter = createLocalFirstLimiter({ rate, clock: { now: () => 0 }, subtractShared })
  limiter.take('quiet', 4)
  limiter.take('busy', 4)
  limiter.take('busy', 4)
  await expect.poll(() => reports).toEqual([new Map([['busy', 8]])])
})
