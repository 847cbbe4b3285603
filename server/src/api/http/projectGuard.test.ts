import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { createHttp } from '../../kit/http/createHttp.ts'
import { createProjects } from '../../kit/http/projects.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createProjectGuard } from './projectGuard.ts'

let now = 0
let app: FastifyInstance
const rate = { perSecond: 10, burst: 20 }

beforeEach(async () => {
  const projects = createProjects('any')
  const guard = createProjectGuard({
    projects,
    trustedProxies: 0,
    limiter: createInProcessRateLimiters({ now: () => now }).create('test', rate),
  })
  app = await createHttp({ logLevel: 'silent', projects })
  app.get('/public', async (request) => {
    await guard(request, { isPublic: true })
    return 'fine'
  })
  app.get('/', async (request) => {
    await guard(request)
    return 'fine'
  })
})

/** Sends `perSecond` requests in each of 20 seconds, evenly. Returns the count of each status. */
async function flood(perSecond: number, from: (count: number) => { remoteAddress: string; forwarded?: string }) {
  const seen = new Map<number, number>()
  for (let count = 0; count < 20 * perSecond; count += 1) {
    now += 1000 / perSecond
    const { remoteAddress, forwarded } = from(count)
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    const { statusCode } = await app.inject({ url: `/?projectId=${'ab'.repeat(16)}`, remoteAddress, headers })
    seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1)
  }
  return Object.fromEntries(seen)
}

// The rate of 20 seconds, the initial burst, and one request that the last moment allows.
const allowed = 20 * rate.perSecond + rate.burst

describe('client', () => {
  test('below the rate limit is never rejected [P-04]', async () => {
    expect(await flood(9, () => ({ remoteAddress: '203.0.113.7' }))).toEqual({ 200: 180 })
  })

  test.each<[string, (count: number) => { remoteAddress: string; forwarded?: string }]>([
    ['half as much again', () => ({ remoteAddress: '203.0.113.7' })],
    [
      'that, each time with another forwarded address',
      (count) => ({ remoteAddress: '203.0.113.7', forwarded: `198.51.100.${count % 250}` }),
    ],
    ['that, from all over his /64', (count) => ({ remoteAddress: `2001:db8:1:2:${count.toString(16)}::1` })],
  ])('%s is served up to the rate limit and rejected above it [P-04]', async (_what, from) => {
    const { 200: served = 0, 429: refused = 0 } = await flood(15, from)
    expect(served + refused).toBe(300)
    expect(served).toBeGreaterThanOrEqual(allowed - 1)
    expect(served).toBeLessThanOrEqual(allowed + 1)
  })

  test('from another network is not affected [P-04]', async () => {
    await flood(15, () => ({ remoteAddress: '2001:db8:1:2::1' }))
    expect(await flood(9, () => ({ remoteAddress: '2001:db8:1:3::1' }))).toEqual({ 200: 180 })
  })
})

test('a public endpoint needs no project, and has the rate limit', async () => {
  const responses = await Promise.all(Array.from({ length: rate.burst + 1 }, () => app.inject('/public')))
  expect(responses.filter(({ statusCode }) => statusCode === 200).length).toBe(rate.burst)
  expect(responses.at(-1)?.statusCode).toBe(429)
  expect((await app.inject('/')).statusCode).toBe(400)
})
