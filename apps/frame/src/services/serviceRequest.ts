import { httpError, isRecord } from '@latchkey/protocol'
import type { DeviceKey } from './deviceKey.ts'

/** Sends a request to a service, proven by the device key (DPoP). */
export type ServiceRequest = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Record<string, unknown>>

export type ServiceRequestOptions = {
  /** Without a trailing slash. */
  url: string
  key: DeviceKey
  /** Milliseconds since the epoch. */
  now(): number
  /** Language that the services write to the user in (BCP 47). The browser's languages by default. */
  language?(): string
  /** Access token of the session. `undefined` before a login. */
  accessToken(): string | undefined
}

const timeoutMs = 10_000

/** A service's refusal, with a message that is written for the user. */
export class ServiceRefusal extends Error {
  override readonly name: string = 'ServiceRefusal'
  readonly status: number
  readonly field: string

  constructor(status: number, field: string, sentence: string) {
    super(sentence)
    this.status = status
    this.field = field
  }
}

/**
 * Creates the function that sends requests to a service.
 *
 * @returns a function that throws ServiceRefusal for a refusal, and LatchkeyError `http/unreachable`,
 *   `http/invalid-response` or `http/status`
 */
export function createServiceRequest({ url, key, now, language, accessToken }: ServiceRequestOptions): ServiceRequest {
  return async (method, path, body) => {
    const token = accessToken()
    const dpop = await key.prove({ method, url: url + path, accessToken: token, now: now() })
    const preferred = language !== undefined && { 'accept-language': language() }
    const response = await load(
      url,
      path,
      body === undefined
        ? { method, headers: { dpop, ...(token !== undefined && { authorization: `DPoP ${token}` }), ...preferred } }
        : // Without other headers the browser sends no preflight request, which would be one for each path.
          { method, headers: { ...preferred }, body: JSON.stringify({ dpop, accessToken: token, content: body }) },
    )
    const result: unknown = await response.json().catch(() => undefined)
    if (!isRecord(result)) throw httpError('http/invalid-response', { subject: 'the wallet' })
    if (!response.ok) throw localizedRefusal(response.status, result)
    return result
  }
}

async function load(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url + path, { ...init, signal: AbortSignal.timeout(timeoutMs) })
  } catch (cause) {
    throw httpError('http/unreachable', { origin: url }, { cause })
  }
}

function localizedRefusal(status: number, { reasons }: Record<string, unknown>): Error {
  const [reason] = Array.isArray(reasons) ? (reasons as readonly unknown[]) : []
  if (!isRecord(reason)) return httpError('http/status', { status })
  const { field, description } = reason
  return new ServiceRefusal(status, String(field), String(description))
}
