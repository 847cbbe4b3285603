import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createInProcessRateLimiters, type RateLimiters } from '../../kit/limits/rateLimiters.ts'
import { rateLimitByIp } from './rateLimitByIp.ts'

const tooMany = { status: 429, field: 'rate_limited' }

function requestFrom(forwarded: string): FastifyRequest {
  const raw = new IncomingMessage(new Socket())
  raw.headers['x-forwarded-for'] = forwarded
  // The guard uses nothing else of a request.
  return { raw } as FastifyRequest
}

test('an address may send 50 requests at once, and 10 more each second', async () => {
  let now = 0
  const guard = rateLimitByIp('auth/requests', { clock: { now: () => now }, trustedProxies: 1 })
  for (let count = 0; count < 50; count += 1) await guard(requestFrom('192.0.2.1'))
  await expect(guard(requestFrom('192.0.2.1'))).rejects.toMatchObject({ ...tooMany, retryAfter: 1 })
  await expect(guard(requestFrom('192.0.2.2'))).resolves.toBeUndefined()
  now += 1_000
  for (let count = 0; count < 10; count += 1) await guard(requestFrom('192.0.2.1'))
  await expect(guard(requestFrom('192.0.2.1'))).rejects.toMatchObject(tooMany)
})

test('an address that the client claims itself does not count', async () => {
  const options = { clock: { now: () => 0 }, trustedProxies: 1 }
  const guard = rateLimitByIp('auth/requests', options, { perSecond: 1, burst: 1 })
  await guard(requestFrom('198.51.100.1, 192.0.2.1'))
  await expect(guard(requestFrom('198.51.100.2, 192.0.2.1'))).rejects.toMatchObject(tooMany)
})

test('the limit has its name and refuses requests while the shared store is away [P-05]', () => {
  const created: unknown[] = []
  const clock = { now: () => 0 }
  const own = createInProcessRateLimiters(clock)
  const rateLimiters: RateLimiters = {
    ...own,
    create(...options) {
      created.push(options)
      return own.create(...options)
    },
  }
  rateLimitByIp('shares/requests', { clock, trustedProxies: 0, rateLimiters })
  expect(created).toEqual([['shares/requests', { perSecond: 10, burst: 50 }, { whileUnavailable: 'refuse' }]])
})
