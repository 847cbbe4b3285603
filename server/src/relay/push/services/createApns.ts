import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { Problem } from '../../../kit/http/problem.ts'
import type { SafeFetch, SafeResponse } from '../../../kit/http/safeFetch.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { ApnsKey } from '../pushVariables.ts'
import {
  requestText,
  toPushedFields,
  type PushNotification,
  type PushResult,
  type PushService,
} from '../pushService.ts'
import { parsePushResponse, requestPush } from './requestPush.ts'

export type ApnsOptions = {
  name: 'apns' | 'apns-sandbox'
  key: ApnsKey
  /** Speaks HTTP/2, which the service requires. */
  http: SafeFetch
  clock: Clock
  /** The address of the service; that of Apple by default. */
  url?: string
}

const urls = { apns: 'https://api.push.apple.com', 'apns-sandbox': 'https://api.sandbox.push.apple.com' } as const
const tokenPattern = /^[0-9a-fA-F]{64,200}$/
/** Apple refuses tokens that are older than an hour, and clients that make a new one more often than every 20 minutes. */
const renewAfterMs = 40 * 60 * 1000
/** The device token is not valid, or the app was removed. */
const goneReasons: readonly unknown[] = ['BadDeviceToken', 'Unregistered', 'ExpiredToken']
/** Another token is made for the next attempt. */
const staleReasons: readonly unknown[] = ['ExpiredProviderToken', 'InvalidProviderToken']

/**
 * The Apple Push Notification service, by its HTTP/2 API with a signing key. Written and tested against the documented format of
 * its requests and responses; never tried with Apple's servers.
 */
export function createApns({ name, key, http, clock, url = urls[name] }: ApnsOptions): PushService {
  const privateKey = createPrivateKey(key.privateKey)
  let bearer: { token: Promise<string>; createdAt: number } | undefined

  function authorize(): Promise<string> {
    const now = clock.now()
    if (bearer === undefined || now - bearer.createdAt > renewAfterMs) {
      const claims = new SignJWT({ iss: key.teamId, iat: Math.floor(now / 1000) })
      bearer = { token: claims.setProtectedHeader({ alg: 'ES256', kid: key.keyId }).sign(privateKey), createdAt: now }
    }
    return bearer.token
  }

  return {
    name,
    parseToken(token) {
      if (tokenPattern.test(token)) return token.toLowerCase()
      throw new Problem(400, 'token', 'This is not a device token of Apple: an even number of hexadecimal digits.')
    },
    async send(token, notification) {
      const headers = {
        authorization: `bearer ${await authorize()}`,
        'apns-topic': key.bundleId,
        'apns-push-type': 'alert',
        'apns-priority': '10',
        'apns-expiration': String(Math.ceil(notification.expiresAt / 1000)),
        'content-type': 'application/json',
      }
      const body = JSON.stringify(toApnsBody(notification))
      const result = await requestPush(http, `${url}/3/device/${token}`, { headers, body }, explainResponse)
      if (result.outcome === 'failed' && staleReasons.includes(result.reason)) bearer = undefined
      return result
    },
    close: () => http.close(),
  }
}

/** The text is replaced by the app's extension, which iOS only calls for notifications with a text. */
function toApnsBody(notification: PushNotification): object {
  return { aps: { alert: requestText, sound: 'default', 'mutable-content': 1 }, ...toPushedFields(notification) }
}

function explainResponse(response: SafeResponse): PushResult | undefined {
  const { reason } = parsePushResponse(response)
  if (response.status === 410 || goneReasons.includes(reason)) return { outcome: 'gone' }
  if (staleReasons.includes(reason)) return { outcome: 'failed', reason: String(reason) }
  const isName = typeof reason === 'string' && /^\w{1,40}$/.test(reason)
  return { outcome: 'refused', reason: isName ? reason : `status ${response.status}` }
}
