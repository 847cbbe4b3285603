import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PushNotification, PushService } from '../pushService.ts'
import type { PlannedResponse, RecordedRequests } from './recordRequests.ts'

/** A push service, and the server that it sends to. */
export type TestedPushService = {
  service: PushService
  receiver: Pick<RecordedRequests, 'requests' | 'respondWith'>
  /** Creates a token that the service accepts. */
  createToken(): string
  /** A response of the server to a token that is no longer valid. */
  gone: PlannedResponse
  /** Stops the server, so that nothing listens at its address. */
  stopReceiver(): Promise<void>
  close(): Promise<void>
}

/** A notification of a message that a test can compare. */
export function createNotification(change: Partial<PushNotification> = {}): PushNotification {
  return { topic: 'ab'.repeat(32), tag: 1108, message: 'sealed', expiresAt: 1_900_000_000_000, isRaw: true, ...change }
}

/** The contract of push services. */
export function describePushService(name: string, start: () => Promise<TestedPushService>): void {
  describe(`${name} as a push service`, () => {
    let tested: TestedPushService
    let token: string
    beforeAll(async () => {
      tested = await start()
      token = tested.service.parseToken(tested.createToken())
    })
    afterAll(() => tested.close())

    test('an accepted notification is sent, in one request', async () => {
      const before = tested.receiver.requests.length
      expect(await tested.service.send(token, createNotification())).toEqual({ outcome: 'sent' })
      expect(tested.receiver.requests).toHaveLength(before + 1)
    })

    test('a notification of the largest message has at most 4,096 bytes', async () => {
      const notification = createNotification({ message: 'x'.repeat(3_100), isRaw: false })
      expect(await tested.service.send(token, notification)).toEqual({ outcome: 'sent' })
      expect(tested.receiver.requests.at(-1)?.body.length).toBeLessThanOrEqual(4_096)
    })

    test('a token that is no longer valid is gone', async () => {
      tested.receiver.respondWith(tested.gone)
      expect(await tested.service.send(token, createNotification())).toEqual({ outcome: 'gone' })
    })

    test.each([429, 500, 503])('status %i fails for now', async (status) => {
      tested.receiver.respondWith({ status })
      expect(await tested.service.send(token, createNotification())).toEqual({
        outcome: 'failed',
        reason: `status ${status}`,
      })
    })

    test('Retry-After is passed on, up to an hour', async () => {
      tested.receiver.respondWith({ status: 429, headers: { 'retry-after': '120' } })
      expect(await tested.service.send(token, createNotification())).toMatchObject({ retryAfterMs: 120_000 })
      tested.receiver.respondWith({ status: 503, headers: { 'retry-after': '86400' } })
      expect(await tested.service.send(token, createNotification())).toMatchObject({ retryAfterMs: 3_600_000 })
    })

    test.each([302, 400, 403, 413])('status %i without a known reason is refused', async (status) => {
      tested.receiver.respondWith({ status, headers: { location: '/elsewhere' }, body: '<html>' })
      const before = tested.receiver.requests.length
      expect(await tested.service.send(token, createNotification())).toMatchObject({ outcome: 'refused' })
      expect(tested.receiver.requests).toHaveLength(before + 1)
    })

    test.each(['', 'x', '{}', 'null', '../../etc/passwd', 'g h'.repeat(30)])('%j is not a token', (text) => {
      expect(() => tested.service.parseToken(text)).toThrow(expect.objectContaining({ status: 400, field: 'token' }))
    })

    test('a service that cannot be reached fails for now', async () => {
      await tested.stopReceiver()
      expect(await tested.service.send(token, createNotification())).toMatchObject({ outcome: 'failed' })
    })
  })
}
