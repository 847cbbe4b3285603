import { createECDH, ECDH } from 'node:crypto'
import { encrypt } from 'http_ece'
import { Problem } from '../../../kit/http/problem.ts'
import { AddressNotAllowedError, type SafeFetch } from '../../../kit/http/safeFetch.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import { toPushedFields, type PushResult, type PushService } from '../pushService.ts'
import { requestPush } from './requestPush.ts'
import type { VapidKey } from './vapidKey.ts'

export type WebPushOptions = {
  key: VapidKey
  /** The hosts of push services, `*.` for any name below one; `any` allows all public hosts. */
  hosts: readonly string[] | 'any'
  http: SafeFetch
  clock: Clock
}

/** A subscription of a browser, as `PushSubscription.toJSON()` writes it. */
type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** Four weeks: no push service keeps notifications longer. */
const maxTtlSeconds = 28 * 24 * 60 * 60

/**
 * Web Push: a request to the endpoint of the browser's push service (RFC 8030), whose body only the browser can decrypt
 * (RFC 8291), signed by the key that the browser subscribed with (RFC 8292).
 *
 * Clients choose the endpoint, so only known hosts are allowed by default, and the addresses of each are checked.
 */
export function createWebPush({ key, hosts, http, clock }: WebPushOptions): PushService {
  return {
    name: 'web',
    parseToken(token) {
      const subscription = parseSubscription(token)
      if (subscription === undefined) throw tokenProblem('A subscription of a browser as JSON is expected.')
      assertEndpoint(subscription.endpoint, hosts, http)
      return JSON.stringify(subscription)
    },
    async send(token, notification) {
      const subscription = parseSubscription(token)
      if (subscription === undefined) return { outcome: 'gone' }
      const { endpoint } = subscription
      // The operator may have removed the host since the client registered.
      if (!isAllowedHost(new URL(endpoint).hostname, hosts)) return { outcome: 'gone' }
      const ttl = Math.ceil((notification.expiresAt - clock.now()) / 1000)
      const headers = {
        authorization: await key.authorize(new URL(endpoint).origin),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(Math.min(Math.max(ttl, 0), maxTtlSeconds)),
        urgency: 'high',
      }
      const body = encryptFor(subscription, JSON.stringify(toPushedFields(notification)))
      return requestPush(http, endpoint, { headers, body }, explainResponse)
    },
    close: () => http.close(),
  }
}

function explainResponse({ status }: { status: number }): PushResult | undefined {
  return status === 404 || status === 410 ? { outcome: 'gone' } : undefined
}

/** Encrypts a message for the browser with a key of its own (RFC 8291, RFC 8188). */
function encryptFor({ keys: { p256dh, auth } }: Subscription, text: string): Uint8Array {
  const privateKey = createECDH('prime256v1')
  privateKey.generateKeys()
  return encrypt(Buffer.from(text), { version: 'aes128gcm', dh: p256dh, authSecret: auth, privateKey })
}

function assertEndpoint(endpoint: string, hosts: WebPushOptions['hosts'], http: Pick<SafeFetch, 'check'>): void {
  try {
    http.check(endpoint)
  } catch (cause) {
    if (cause instanceof AddressNotAllowedError) throw tokenProblem('The endpoint cannot be used.', cause)
    throw cause
  }
  if (!isAllowedHost(new URL(endpoint).hostname, hosts)) {
    throw tokenProblem('This server does not send to the push service of the endpoint.')
  }
}

function isAllowedHost(hostname: string, hosts: WebPushOptions['hosts']): boolean {
  if (hosts === 'any') return true
  return hosts.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host))
}

/** Parses a subscription. Returns nothing for a key that can't be used: the error would come with each notification. */
function parseSubscription(text: string): Subscription | undefined {
  try {
    const { endpoint, keys } = JSON.parse(text) as Partial<Subscription>
    if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return undefined
    const p256dh = Buffer.from(String(keys?.p256dh), 'base64url')
    const auth = Buffer.from(String(keys?.auth), 'base64url')
    if (p256dh.length !== 65 || auth.length !== 16) return undefined
    // Throws for a point that is not on the curve.
    ECDH.convertKey(p256dh, 'prime256v1', undefined, undefined, 'uncompressed')
    return { endpoint, keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') } }
  } catch {
    return undefined
  }
}

function tokenProblem(sentence: string, cause?: unknown): Problem {
  return new Problem(400, 'token', sentence, { cause })
}
