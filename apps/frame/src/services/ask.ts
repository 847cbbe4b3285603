import { LatchkeyError } from '@latchkey/protocol'
import type { DeviceKey } from './deviceKey.ts'

/** How a service is asked: each request is proven by the device's key. */
export type Ask = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Record<string, unknown>>

export type AskParts = {
  /** Without a slash at its end. */
  url: string
  key: DeviceKey
  /** Milliseconds since the epoch. */
  now(): number
  /** The token of the session, once there is one. */
  accessToken(): string | undefined
}

const patience = 10_000

/** What a service refused, in its own words, which are made for people. */
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
 * Makes the way to ask a service.
 *
 * @throws (later) ServiceRefusal for what it refuses; LatchkeyError `http/unreachable`, `http/invalid-answer`
 */
export function createAsk({ url, key, now, accessToken }: AskParts): Ask {
  return async (method, path, body) => {
    const token = accessToken()
    const response = await load(url, path, {
      method,
      headers: {
        dpop: await key.prove({ method, url: url + path, accessToken: token, now: now() }),
        ...(token !== undefined && { authorization: `DPoP ${token}` }),
      },
      body: body && JSON.stringify(body),
    })
    const answer: unknown = await response.json().catch(() => undefined)
    if (!isRecord(answer)) throw new LatchkeyError('http/invalid-answer', { what: 'the wallet' })
    if (!response.ok) throw refusalOf(response.status, answer)
    return answer
  }
}

async function load(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url + path, { ...init, signal: AbortSignal.timeout(patience) })
  } catch (cause) {
    throw new LatchkeyError('http/unreachable', { origin: url }, { cause })
  }
}

function refusalOf(status: number, { reasons }: Record<string, unknown>): Error {
  const [reason] = Array.isArray(reasons) ? (reasons as readonly unknown[]) : []
  if (!isRecord(reason)) return new LatchkeyError('http/status', { status })
  const { field, description } = reason
  return new ServiceRefusal(status, String(field), String(description))
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
