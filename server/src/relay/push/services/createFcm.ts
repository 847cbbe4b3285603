import { SignJWT } from 'jose'
import { createPrivateKey } from 'node:crypto'
import { Problem } from '../../../kit/http/problem.ts'
import type { SafeFetch, SafeResponse } from '../../../kit/http/safeFetch.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { FcmAccount } from '../pushVariables.ts'
import {
  needsText,
  requestText,
  toPushedFields,
  type PushNotification,
  type PushResult,
  type PushService,
} from '../pushService.ts'
import { parsePushResponse, requestPush } from './requestPush.ts'

export type FcmOptions = {
  account: FcmAccount
  http: SafeFetch
  clock: Clock
  /** The address of the service; that of Google by default. */
  url?: string
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const tokenPattern = /^[\w:.-]{20,1024}$/
const maxTtlSeconds = 28 * 24 * 60 * 60
/** A token is replaced before it expires, because requests take time and clocks differ. */
const renewBeforeMs = 5 * 60 * 1000

/**
 * Firebase Cloud Messaging, by its HTTP v1 API. Written and tested against the documented format of its requests and responses;
 * never tried with Google's servers.
 */
export function createFcm({ account, http, clock, url = 'https://fcm.googleapis.com' }: FcmOptions): PushService {
  const access = createAccessToken(account, http, clock)
  const endpoint = `${url}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`

  return {
    name: 'fcm',
    parseToken(token) {
      if (tokenPattern.test(token)) return token
      throw new Problem(400, 'token', 'This is not a registration token of Firebase.')
    },
    async send(token, notification) {
      let bearer: string
      try {
        bearer = await access.get()
      } catch {
        return { outcome: 'failed', reason: 'no access token' }
      }
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ message: toFcmMessage(token, notification, clock.now()) })
      const result = await requestPush(http, endpoint, { headers, body }, explainResponse)
      // Google may revoke a token before it expires.
      if (result.outcome === 'failed' && result.reason === unauthorized) access.forget()
      return result
    },
    close: () => http.close(),
  }
}

function toFcmMessage(token: string, notification: PushNotification, now: number): object {
  const seconds = Math.min(Math.max(Math.ceil((notification.expiresAt - now) / 1000), 0), maxTtlSeconds)
  return {
    token,
    // Values must be strings.
    data: { ...toPushedFields(notification), tag: String(notification.tag) },
    ...(needsText(notification) && { notification: requestText }),
    android: { priority: 'HIGH', ttl: `${seconds}s` },
  }
}

const unauthorized = 'status 401'

/** Explains an error of the API: `UNREGISTERED` names a token that is no longer valid. */
function explainResponse(response: SafeResponse): PushResult | undefined {
  if (response.status === 401) return { outcome: 'failed', reason: unauthorized }
  const code = findErrorCode(parsePushResponse(response))
  if (code === 'UNREGISTERED') return { outcome: 'gone' }
  return code === undefined ? undefined : { outcome: 'refused', reason: `status ${response.status} ${code}` }
}

function findErrorCode({ error }: Readonly<Record<string, unknown>>): string | undefined {
  const { details = [] } = (error ?? {}) as { details?: readonly { errorCode?: unknown }[] }
  if (!Array.isArray(details)) return undefined
  const code: unknown = details.find((detail) => typeof detail?.errorCode === 'string')?.errorCode
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : undefined
}

type AccessToken = { get(): Promise<string>; forget(): void }

/** Exchanges the key of a service account for an access token (RFC 7523), and keeps it until it expires. */
function createAccessToken(
  { client_email: issuer, private_key: pem, token_uri: audience }: FcmAccount,
  http: Pick<SafeFetch, 'fetch'>,
  clock: Clock,
): AccessToken {
  const key = createPrivateKey(pem)
  let current: { token: Promise<string>; expiresAt: number } | undefined

  async function request(now: number): Promise<string> {
    const issuedAt = Math.floor(now / 1000)
    const claims = { iss: issuer, scope, aud: audience, iat: issuedAt, exp: issuedAt + 3600 }
    const assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT' }).sign(key)
    const body = new URLSearchParams({ grant_type: grantType, assertion }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await http.fetch(audience, { method: 'POST', headers, body, maxBytes: 16 * 1024 })
    const { access_token: token, expires_in: seconds } = parsePushResponse(response)
    if (typeof token !== 'string') throw new Error(`The token of Firebase was refused: status ${response.status}.`)
    if (current !== undefined) current.expiresAt = now + (typeof seconds === 'number' ? seconds : 0) * 1000
    return token
  }

  return {
    async get() {
      const now = clock.now()
      if (current === undefined || now > current.expiresAt - renewBeforeMs) {
        // Requests at the same time share one exchange.
        current = { token: Promise.resolve(''), expiresAt: now + 2 * renewBeforeMs }
        current.token = request(now)
        current.token.catch(() => (current = undefined))
      }
      return current.token
    },
    forget() {
      current = undefined
    },
  }
}
