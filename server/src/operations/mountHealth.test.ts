import { afterEach, expect, test } from 'vitest'
import { startTestServer, startTestPostgres, startTestRedis } from '../testing/index.ts'

const closers: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function get(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url)
  return { status: response.status, text: await response.text() }
}

test(
  'a server without its database is live but not ready, and is ready again once the database is back',
  { tags: 'faults' },
  async () => {
    const postgres = await startTestPostgres()
    closers.push(postgres.close)
    const server = await startTestServer({ databaseUrl: postgres.url })
    closers.push(server.close)
    expect(await get(`${server.url}/ready`)).toEqual({ status: 200, text: 'The server is ready.\n' })
    await postgres.kill()
    expect(await get(`${server.url}/ready`)).toEqual({ status: 503, text: 'The database does not respond.\n' })
    expect(await get(`${server.url}/live`)).toEqual({ status: 200, text: 'The process is running.\n' })
    await postgres.start()
  },
)

test('a server without its Redis is live but not ready, and is ready again once Redis is back', async () => {
  const redis = await startTestRedis()
  closers.push(redis.close)
  const server = await startTestServer({ redisUrl: redis.url })
  closers.push(server.close)
  await expect.poll(async () => (await get(`${server.url}/ready`)).status).toBe(200)
  await redis.close()
  await expect
    .poll(async () => (await get(`${server.url}/ready`)).text)
    .toBe(
      'Other processes cannot be reached: the connection of the bus is broken. The store of the rate limits cannot be reached.\n',
    )
  expect((await get(`${server.url}/live`)).status).toBe(200)
  const again = await startTestRedis(redis.port)
  closers.push(again.close)
  await expect.poll(async () => (await get(`${server.url}/ready`)).status).toBe(200)
})

test('the version names the release, the commit and the services', async () => {
  const server = await startTestServer({ commitHash: 'abcdef0', services: ['relay'] })
  closers.push(server.close)
  expect(JSON.parse((await get(`${server.url}/version`)).text)).toEqual({
    version: '0.1.0',
    commit: 'abcdef0',
    services: ['relay'],
  })
})
