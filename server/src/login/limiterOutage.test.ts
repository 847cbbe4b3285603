import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMail } from '@latchkey/devnet'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { startServer } from '../startServer.ts'
import { createTestDatabase } from '../testing/database.ts'
import { createLoginClient } from '../testing/loginClient.ts'
import { startTestRedis } from '../testing/brokers/redis.ts'

const projectId = 'ab'.repeat(16)

test(
  'without the store of the rate limits, reads continue and key routes stop until it is back [P-05]',
  { tags: 'faults' },
  async () => {
    const [redis, mail] = [await startTestRedis(), await startMail()]
    const dir = await mkdtemp(join(tmpdir(), 'latchkey-limiter-'))
    const [auth, shares, api] = [await createTestDatabase(), await createTestDatabase(), await createTestDatabase()]
    const config = readConfig({
      PORT: '0',
      SERVICES: 'api,auth,shares',
      LIMITS: 'local',
      LOG_LEVEL: 'silent',
      DATA_DIR: dir,
      DATABASE_URL: api.url,
      REDIS_URL: redis.url,
      MAIL_URL: mail.url,
      AUTH_DATABASE_URL: auth.url,
      SHARES_DATABASE_URL: shares.url,
    })
    const server = await startServer(config)
    let stop = redis.close
    onTestFinished(async () => {
      await server.close()
      await Promise.all([stop(), mail.close(), auth.close(), shares.close(), api.close()])
      await rm(dir, { recursive: true })
    })
    const client = await createLoginClient(server.url)
    let guest = 0
    const keyRoutes = async (): Promise<readonly number[]> => {
      const requested = { email: `guest${(guest += 1)}@example.org`, projectId, origin: 'http://localhost' }
      const replies = [
        await client.request('POST', '/auth/v1/codes', requested),
        await client.request('POST', '/shares/v1/links', { ...requested, email: `other${guest}@example.org` }),
        await client.request('POST', '/auth/v1/codes/redeem', { id: '0', email: requested.email, code: '000000' }),
        await client.request('POST', '/shares/v1/sets/find', {}),
      ]
      return replies.map(({ status }) => status)
    }
    const reads = async (): Promise<number> =>
      (await fetch(`${server.url}/v1/supported-chains?projectId=${projectId}`)).status

    const usual = await keyRoutes()
    expect(usual.slice(0, 2)).toEqual([200, 200])
    expect(await reads()).toBe(200)

    await redis.close()
    expect(await keyRoutes()).toEqual([503, 503, 503, 503])
    expect(await reads()).toBe(200)
    const { body } = await client.request('POST', '/auth/v1/codes', {})
    expect(JSON.stringify(body)).toContain('Try again in a few seconds')
    expect(mail.received()).toHaveLength(2)

    stop = (await startTestRedis(redis.port)).close
    await expect.poll(keyRoutes, { interval: 500 }).toEqual(usual)
  },
)
