import { jwtVerify } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSafeFetch } from '../../../kit/http/safeFetch.ts'
import { startApnsReceiver, type ApnsReceiver } from '../testing/apnsReceiver.ts'
import { createNotification, describePushService } from '../testing/describePushService.ts'
import type { PushService } from '../pushService.ts'
import { createApns } from './createApns.ts'

let now = 1_800_000_000_000
const clock = { now: () => now }
const deviceToken = 'a1'.repeat(32)

function create({ key, url, certificate }: ApnsReceiver): PushService {
  const http = createSafeFetch({ allowPrivate: true, http2: true, certificate })
  return createApns({ name: 'apns', key, http, clock, url })
}

describePushService('Apple', async () => {
  const receiver = await startApnsReceiver()
  const service = create(receiver)
  return {
    service,
    receiver,
    createToken: () => deviceToken.toUpperCase(),
    gone: { status: 410, body: '{"reason":"Unregistered","timestamp":1799999999000}' },
    stopReceiver: receiver.close,
    close: service.close,
  }
})

describe('a notification over Apple', () => {
  async function open(): Promise<{ receiver: ApnsReceiver; service: PushService }> {
    const receiver = await startApnsReceiver()
    const service = create(receiver)
    onTestFinished(async () => {
      await service.close()
      await receiver.close()
    })
    return { receiver, service }
  }

  test('is a request over HTTP/2, with the sealed message next to the text that the app replaces', async () => {
    const { receiver, service } = await open()
    await service.send(deviceToken, createNotification({ expiresAt: now + 60_000 }))
    const [request] = receiver.requests
    expect(request).toMatchObject({ method: 'POST', path: `/3/device/${deviceToken}` })
    expect(request?.headers).toMatchObject({
      ':scheme': 'https',
      'apns-topic': 'org.example.wallet',
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-expiration': String((now + 60_000) / 1000),
    })
    expect(JSON.parse(String(request?.body))).toEqual({
      aps: {
        alert: { title: 'Signature required', body: 'You have a message to sign' },
        sound: 'default',
        'mutable-content': 1,
      },
      topic: 'ab'.repeat(32),
      tag: 1108,
      message: 'sealed',
    })
  })

  test('is signed by the key, with a token that is kept for 40 minutes', async () => {
    const { receiver, service } = await open()
    await service.send(deviceToken, createNotification())
    now += 30 * 60_000
    await service.send(deviceToken, createNotification())
    now += 20 * 60_000
    await service.send(deviceToken, createNotification())
    const tokens = receiver.requests.map(({ headers }) => String(headers.authorization).replace('bearer ', ''))
    const { payload, protectedHeader } = await jwtVerify(tokens[0] ?? '', receiver.publicKey)
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: receiver.key.keyId })
    expect(payload).toEqual({ iss: receiver.key.teamId, iat: (now - 50 * 60_000) / 1000 })
    expect(tokens[1]).toBe(tokens[0])
    expect(tokens[2]).not.toBe(tokens[0])
  })

  test.each(['BadDeviceToken', 'ExpiredToken'])('the reason %s removes the registration', async (reason) => {
    const { receiver, service } = await open()
    receiver.respondWith({ status: 400, body: JSON.stringify({ reason }) })
    expect(await service.send(deviceToken, createNotification())).toEqual({ outcome: 'gone' })
  })

  test('a wrong configuration removes no registration', async () => {
    const { receiver, service } = await open()
    receiver.respondWith({ status: 400, body: '{"reason":"DeviceTokenNotForTopic"}' })
    const refused = { outcome: 'refused', reason: 'DeviceTokenNotForTopic' }
    expect(await service.send(deviceToken, createNotification())).toEqual(refused)
  })

  test('an expired signing token is replaced for the next attempt', async () => {
    const { receiver, service } = await open()
    receiver.respondWith({ status: 403, body: '{"reason":"ExpiredProviderToken"}' })
    expect(await service.send(deviceToken, createNotification())).toMatchObject({ outcome: 'failed' })
    expect(await service.send(deviceToken, createNotification())).toEqual({ outcome: 'sent' })
    const [before, after] = receiver.requests.map(({ headers }) => headers.authorization)
    expect(after).not.toBe(before)
  })
})
