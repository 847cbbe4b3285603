import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import Fastify from 'fastify'
import { openDatabase, type Database } from '../../../kit/database/database.ts'
import { createSafeFetch } from '../../../kit/http/safeFetch.ts'
import { createTestDatabase, type TestPostgres } from '../../../testing/database.ts'
import { createNotification, describePushService } from '../testing/describePushService.ts'
import { decryptPush, startWebPushReceiver, verifyVapid, type WebPushReceiver } from '../testing/webPushReceiver.ts'
import type { PushService } from '../pushService.ts'
import { browserPushHosts } from './browserPushHosts.ts'
import { createWebPush, type WebPushOptions } from './createWebPush.ts'
import { loadVapidKey, type VapidKey } from './vapidKey.ts'

const now = 1_800_000_000_000
const clock = { now: () => now }
let place: TestPostgres
let database: Database
let key: VapidKey

beforeAll(async () => {
  place = await createTestDatabase('relay')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  key = await loadVapidKey(database.kysely, 'mailto:push@example.org', clock)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

function create(change: Partial<WebPushOptions> = {}): PushService {
  return createWebPush({ key, hosts: 'any', http: createSafeFetch({ allowPrivate: true }), clock, ...change })
}

describePushService('Web Push', async () => {
  const receiver = await startWebPushReceiver()
  const service = create()
  return {
    service,
    receiver,
    createToken: () => receiver.subscribe().token,
    gone: { status: 410 },
    stopReceiver: receiver.close,
    close: service.close,
  }
})

test('the decryption of these tests follows the example of RFC 8291, appendix A', () => {
  const receiverKey = createECDH('prime256v1')
  receiverKey.setPrivateKey(Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'))
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  )
  expect(decryptPush(body, { key: receiverKey, auth }).toString()).toBe('When I grow up, I want to be a watermelon')
})

describe('a notification over Web Push', () => {
  let receiver: WebPushReceiver
  let service: PushService
  beforeAll(async () => {
    receiver = await startWebPushReceiver()
    service = create()
  })
  afterAll(async () => {
    await service.close()
    await receiver.close()
  })

  test('only the browser that subscribed can decrypt it', async () => {
    const browser = receiver.subscribe()
    const other = receiver.subscribe()
    await service.send(service.parseToken(browser.token), createNotification({ expiresAt: now + 299_001 }))
    const request = receiver.requests.at(-1)
    expect(request?.path).toBe(browser.path)
    expect(request?.headers).toMatchObject({ ttl: '300', urgency: 'high', 'content-encoding': 'aes128gcm' })
    // The test would end without a request.
    const sent = request as NonNullable<typeof request>
    expect(browser.decrypt(sent)).toEqual({ topic: 'ab'.repeat(32), tag: 1108, message: 'sealed' })
    expect(() => other.decrypt(sent)).toThrow('unable to authenticate')
    expect(sent.body.includes('sealed')).toBe(false)
    expect(sent.body.includes('ab'.repeat(8))).toBe(false)
  })

  test('the push service can verify the server and its contact, for its own origin, for half a day', async () => {
    await service.send(service.parseToken(receiver.subscribe().token), createNotification())
    const { publicKey, claims } = verifyVapid(receiver.requests.at(-1) as (typeof receiver.requests)[0])
    expect(publicKey).toBe(key.publicKey)
    expect(claims).toEqual({ aud: receiver.url, exp: now / 1000 + 43_200, sub: 'mailto:push@example.org' })
  })

  test('two notifications of one message have different bodies', async () => {
    const { token } = receiver.subscribe()
    await service.send(service.parseToken(token), createNotification())
    await service.send(service.parseToken(token), createNotification())
    const [one, other] = receiver.requests.slice(-2)
    expect(one?.body.equals(other?.body ?? Buffer.of())).toBe(false)
  })
})

test('all processes on a database have the same key', async () => {
  const keys = await Promise.all([1, 2, 3].map(() => loadVapidKey(database.kysely, 'mailto:a@example.org', clock)))
  expect(new Set([key, ...keys].map(({ publicKey }) => publicKey)).size).toBe(1)
  expect(Buffer.from(key.publicKey, 'base64url')).toHaveLength(65)
})

describe('an endpoint', () => {
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const keys = { p256dh: browser.getPublicKey('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') }
  const service = (): PushService => create({ http: createSafeFetch(), hosts: browserPushHosts })

  test.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
  ])('%s is allowed by default', (endpoint) => {
    expect(JSON.parse(service().parseToken(JSON.stringify({ endpoint, keys })))).toEqual({ endpoint, keys })
  })

  test.each([
    'https://victim.example/hook',
    'https://fcm.googleapis.com.evil.example/',
    'https://evilfcm.googleapis.com/',
    'https://push.apple.com.evil.example/',
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/',
    'https://user:pass@fcm.googleapis.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
  ])('%s is refused', (endpoint) => {
    expect(() => service().parseToken(JSON.stringify({ endpoint, keys }))).toThrow(
      expect.objectContaining({ status: 400, field: 'token' }),
    )
  })

  test.each(['https://127.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/'])(
    '%s is refused even if all public hosts are allowed [P-06]',
    (endpoint) => {
      const any = create({ http: createSafeFetch(), hosts: 'any' })
      expect(() => any.parseToken(JSON.stringify({ endpoint, keys }))).toThrow(expect.objectContaining({ status: 400 }))
    },
  )

  test('a name that resolves to a private address gets no request [P-06]', async () => {
    const http = createSafeFetch({ resolve: async () => [{ address: '10.0.0.1', family: 4 }] })
    const any = create({ http, hosts: 'any' })
    const token = any.parseToken(JSON.stringify({ endpoint: 'https://rebound.example/', keys }))
    expect(await any.send(token, createNotification())).toMatchObject({ outcome: 'failed' })
  })

  test('a registration of a host that is no longer allowed is gone', async () => {
    const token = create().parseToken(JSON.stringify({ endpoint: 'https://push.example.org/a', keys }))
    expect(await service().send(token, createNotification())).toEqual({ outcome: 'gone' })
  })

  test('a key that is not on the curve is refused', () => {
    const endpoint = 'https://fcm.googleapis.com/fcm/send/abc'
    const wrong = { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') }
    expect(() => service().parseToken(JSON.stringify({ endpoint, keys: wrong }))).toThrow(
      expect.objectContaining({ field: 'token' }),
    )
  })
})
