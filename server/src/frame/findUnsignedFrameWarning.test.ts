import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { mountHealth } from '../operations/mountHealth.ts'
import { findUnsignedFrameWarning } from './findUnsignedFrameWarning.ts'

const key = 'A'.repeat(43)
const services = { SERVICES: 'frame', AUTH_URL: 'https://auth.example', SHARES_URL: 'https://shares.example' }

async function readHealth(env: Record<string, string>, forwarded?: string): Promise<unknown> {
  const app = Fastify({ logger: false })
  onTestFinished(() => app.close())
  const reachable = { isReachable: () => true }
  mountHealth(app, readConfig(env), {
    database: { isReachable: async () => true },
    bus: reachable,
    rateLimiters: reachable,
    relay: undefined,
    api: undefined,
    forwarded: { warning: () => forwarded },
  })
  return (await app.inject('/health')).json()
}

test('a public frame without signers is reported, and the health of the server says so', async () => {
  expect(findUnsignedFrameWarning(readConfig(services))).toContain('FRAME_SIGNERS')
  expect(await readHealth(services)).toMatchObject({ status: 'ok', warning: expect.stringContaining('FRAME_SIGNERS') })
  const both = await readHealth(services, 'Set TRUSTED_PROXIES.')
  expect(both).toMatchObject({ warning: expect.stringMatching(/^Set TRUSTED_PROXIES\. The frame is served/) })
})

test.each([
  ['with signers', { ...services, FRAME_SIGNERS: key }],
  ['of a local server', { ...services, LIMITS: 'local' }],
  ['that another process serves', { SERVICES: 'relay' }],
])('a frame %s is not reported', async (_, env) => {
  expect(findUnsignedFrameWarning(readConfig(env))).toBeUndefined()
  expect(await readHealth(env)).not.toHaveProperty('warning')
})
