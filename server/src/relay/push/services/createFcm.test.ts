import { createSafeFetch } from '../../../kit/http/safeFetch.ts'
import { jwtVerify } from 'jose'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createNotification, describePushService } from '../testing/describePushService.ts'
import { startFcmReceiver, type FcmReceiver } from '../testing/fcmReceiver.ts'
import type { PushService } from '../pushService.ts'
import { createFcm } from './createFcm.ts'

let now = 1_800_000_000_000
const clock = { now: () => now }
const deviceToken = `${'d'.repeat(22)}:APA91b${'x'.repeat(134)}`

/** The error of the HTTP v1 API with an error code of FCM. */
function errorBody(errorCode: string): string {
  const type = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'
  return JSON.stringify({ error: { code: 404, status: 'NOT_FOUND', details: [{ '@type': type, errorCode }] } })
}

function create({ account, url }: FcmReceiver): PushService {
  return createFcm({ account, http: createSafeFetch({ allowPrivate: true }), clock, url })
}

describePushService('Firebase', async () => {
  const receiver = await startFcmReceiver()
  const service = create(receiver)
  return {
    service,
    receiver,
    createToken: () => deviceToken,
    gone: { status: 404, body: errorBody('UNREGISTERED') },
    stopReceiver: receiver.close,
    close: service.close,
  }
})

describe('a notification over Firebase', () => {
  async function open(): Promise<{ receiver: FcmReceiver; service: PushService }> {
    const receiver = await startFcmReceiver()
    const service = create(receiver)
    onTestFinished(async () => {
      await service.close()
      await receiver.close()
    })
    return { receiver, service }
  }

  test('is a request of the HTTP v1 API, with the sealed message as data', async () => {
    const { receiver, service } = await open()
    await service.send(deviceToken, createNotification({ expiresAt: now + 60_000 }))
    const [request] = receiver.requests
    expect(request).toMatchObject({ method: 'POST', path: '/v1/projects/test-project/messages:send' })
    expect(request?.headers.authorization).toBe('Bearer access-token')
    expect(JSON.parse(String(request?.body))).toEqual({
      message: {
        token: deviceToken,
        data: { topic: 'ab'.repeat(32), tag: '1108', message: 'sealed' },
        android: { priority: 'HIGH', ttl: '60s' },
      },
    })
  })

  test('shows a text for a request, unless the client wants raw notifications', async () => {
    const { receiver, service } = await open()
    await service.send(deviceToken, createNotification({ isRaw: false }))
    await service.send(deviceToken, createNotification({ isRaw: false, tag: 1110 }))
    const [request, event] = receiver.requests.map(({ body }) => JSON.parse(String(body)) as { message: object })
    expect(request?.message).toMatchObject({
      notification: { title: 'Signature required', body: 'You have a message to sign' },
    })
    expect(event?.message).not.toHaveProperty('notification')
  })

  test('the access token is requested once an hour, with a JWT of the service account', async () => {
    const { receiver, service } = await open()
    await Promise.all([1, 2, 3].map(() => service.send(deviceToken, createNotification())))
    expect(receiver.tokenRequests).toHaveLength(1)
    const form = new URLSearchParams(String(receiver.tokenRequests[0]?.body))
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const { payload } = await jwtVerify(form.get('assertion') ?? '', receiver.accountKey, {
      currentDate: new Date(now),
    })
    expect(payload).toMatchObject({
      iss: receiver.account.client_email,
      aud: receiver.account.token_uri,
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
    })
    now += 50 * 60_000
    await service.send(deviceToken, createNotification())
    expect(receiver.tokenRequests).toHaveLength(1)
    now += 10 * 60_000
    await service.send(deviceToken, createNotification())
    expect(receiver.tokenRequests).toHaveLength(2)
  })

  test('a revoked access token is replaced for the next attempt', async () => {
    const { receiver, service } = await open()
    receiver.respondWith({ status: 401 })
    expect(await service.send(deviceToken, createNotification())).toMatchObject({ outcome: 'failed' })
    expect(await service.send(deviceToken, createNotification())).toEqual({ outcome: 'sent' })
    expect(receiver.tokenRequests).toHaveLength(2)
  })

  test('the error code of a refusal is its reason', async () => {
    const { receiver, service } = await open()
    receiver.respondWith({ status: 403, body: errorBody('SENDER_ID_MISMATCH') })
    expect(await service.send(deviceToken, createNotification())).toEqual({
      outcome: 'refused',
      reason: 'status 403 SENDER_ID_MISMATCH',
    })
  })
})
