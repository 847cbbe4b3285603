import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRemoteSessions, sessionStatePath } from '../../custody/requests/remoteSessions.ts'
import { createInProcessRateLimiters, type RateLimiters } from '../../kit/limits/rateLimiters.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'

let mail: LocalMail
let services: LoginServices
const created: string[] = []

/** The clock stands still, so no tokens come back. */
const limiters = createInProcessRateLimiters({ now: () => 0 })
const rateLimiters: RateLimiters = {
  ...limiters,
  create(name, rate) {
    created.push(name)
    return limiters.create(name, name === 'auth/sessions' ? { ...rate, burst: 3 } : rate)
  },
}

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', parts: { auth: { rateLimiters } } })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

test('the state of sessions has a rate limit that processes share, and the share store refuses beyond it [K-08]', async () => {
  expect(created).toContain('auth/sessions')
  const isActive = createRemoteSessions(services.authUrl)
  for (let request = 0; request < 3; request += 1) expect(await isActive('0')).toBe(false)
  await expect(isActive('0')).rejects.toMatchObject({ status: 503, field: 'token' })
  const refused = await fetch(services.authUrl + sessionStatePath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session: '0' }),
  })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // Other requests of the same address have a limit of their own.
  expect((await fetch(`${services.authUrl}/auth/v1/user`)).status).toBe(401)
})
