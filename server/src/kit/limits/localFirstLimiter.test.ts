import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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

test('several processes together allow the rate once, and each a burst', { tags: 'faults' }, async () => {
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

describe('the report to the shared buckets', () => {
  type Level = (taken: ReadonlyMap<string, number>) => ReadonlyMap<string, number>

  function openLimiter(levels: Level = () => new Map()) {
    const reports: ReadonlyMap<string, number>[] = []
    const limiter = createLocalFirstLimiter({
      rate,
      clock: { now: () => 0 },
      subtractShared: async (taken) => {
        reports.push(taken)
        return levels(taken)
      },
    })
    return { reports, take: limiter.take }
  }

  test('contains the keys that took a quarter of their burst', async () => {
    const { reports, take } = openLimiter()
    take('quiet', 4)
    take('busy', 4)
    take('busy', 4)
    take('quarter', 5)
    await expect
      .poll(() => reports)
      .toEqual([
        new Map([
          ['busy', 8],
          ['quarter', 5],
        ]),
      ])
  })

  test('contains all that a key took until it is sent, but not what was refused', async () => {
    const { reports, take } = openLimiter()
    take('client', 15)
    take('client', 1)
    expect(take('client', 10).ok).toBe(false)
    await expect.poll(() => reports).toEqual([new Map([['client', 16]])])
    take('client', 4)
    take('another client', 20)
    await expect.poll(() => reports.slice(1)).toEqual([new Map([['another client', 20]])])
  })

  test('lowers the bucket of this process to the shared level, which may be a debt', async () => {
    const { take } = openLimiter((taken) => new Map([...taken.keys()].map((key) => [key, -30])))
    expect(take('client', 5)).toEqual({ ok: true })
    await expect.poll(() => take('client', 5)).toEqual({ ok: false, retryAfter: 4 })
    expect(take('another client', 20)).toEqual({ ok: true })
  })

  test('may fail: the process limits on its own, and reports again later', async () => {
    const { reports, take } = openLimiter(() => {
      throw new Error('unreachable')
    })
    take('client', 10)
    await expect.poll(() => reports).toHaveLength(1)
    expect([take('client', 10).ok, take('client', 1).ok]).toEqual([true, false])
    await expect.poll(() => reports).toHaveLength(2)
  })

  test('forgets what rare keys took, so that a hundred thousand of them do not fill the memory', async () => {
    const { reports, take } = openLimiter()
    take('first', 4)
    for (let index = 1; index < 100_000; index += 1) take(`client ${index}`)
    take('client 1', 3)
    take('last', 4)
    take('first', 1)
    take('last', 1)
    await expect.poll(() => reports).toEqual([new Map([['last', 5]])])
  })
})
