import { expect, test } from 'vitest'
import { assertWithinLimit } from './assertWithinLimit.ts'
import { createInProcessRateLimiters } from './rateLimiters.ts'

test('assertWithinLimit throws 429 with the time to wait when the bucket is empty', async () => {
  const limiter = createInProcessRateLimiters({ now: () => 0 }).create('requests', { perSecond: 0.5, burst: 3 })
  await assertWithinLimit(limiter, 'client', 2)
  await assertWithinLimit(limiter, 'client')
  await expect(assertWithinLimit(limiter, 'client', 2)).rejects.toMatchObject({
    status: 429,
    field: 'rate_limited',
    retryAfter: 4,
  })
  await expect(assertWithinLimit(limiter, 'client')).rejects.toMatchObject({ retryAfter: 2 })
  await expect(assertWithinLimit(limiter, 'another client')).resolves.toBeUndefined()
})
