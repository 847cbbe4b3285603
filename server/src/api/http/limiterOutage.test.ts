import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../../testing/index.ts'
import { startTestRedis } from '../../testing/brokers/redis.ts'

const projectId = 'ab'.repeat(16)
const account = 'eip155:31337:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const terms = { expiry: 4_102_444_800, signer: { type: 'keys', data: {} }, permissions: [], policies: [] }

test('without the store of the rate limits, reads of the data service continue and writes wait for it', async () => {
  const redis = await startTestRedis()
  let stop = redis.close
  const server = await startTestServer({
    services: ['api'],
    redisUrl: redis.url,
    names: { zones: ['latchkey.test'], signerKey: undefined },
  })
  onTestFinished(async () => {
    await server.close()
    await stop()
  })
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${server.url}${path}?projectId=${projectId}`, { method: 'POST', body: JSON.stringify(body) })
  const writes = async (): Promise<readonly number[]> => [
    (await post(`/v1/sessions/${account}`, terms)).status,
    (await post('/v1/profile/account', { coin_type: 60, address: '0x', message: '{}', signature: '0x' })).status,
  ]
  const reads = async (): Promise<readonly number[]> => [
    (await fetch(`${server.url}/v1/supported-chains?projectId=${projectId}`)).status,
    (await post('/v1/fungible/price', { projectId, currency: 'usd', addresses: [account] })).status,
  ]
  const [usualWrites, usualReads] = [await writes(), await reads()]
  expect(usualWrites[0]).toBe(200)
  expect([...usualWrites, ...usualReads]).not.toContain(503)

  await redis.close()
  expect(await writes()).toEqual([503, 503])
  const refused = await post(`/v1/sessions/${account}`, terms)
  expect([refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
    '5',
    { reasons: [{ field: 'rate_limited' }] },
  ])
  expect(await reads()).toEqual(usualReads)

  stop = (await startTestRedis(redis.port)).close
  await expect.poll(writes, { interval: 500 }).toEqual(usualWrites)
})
