import { isLatchkeyError, type SignInSession, httpError } from '@latchkey/protocol'
import { systemClock, type Clock } from '../contracts/clock.ts'
import { draftOf, type SignInTexts } from './draft.ts'
import { isCurrent, readSessions } from './readSessions.ts'
import { isSameSignInAddress } from './isSameSignInAddress.ts'
import type { SignIn } from './signInState.ts'
import { signInError } from './signInError.ts'

export type ServerSignInOptions = SignInTexts & {
  /** The base URL of the app's server, which serves `/nonce`, `/verify` and `/session`. */
  url: string
  /** Set to false to let users stay connected without signing in. Defaults to true. */
  required?: boolean
  clock?: Clock
}

type SignInCall = { method: 'GET' | 'POST' | 'DELETE'; path: string; body?: unknown }

const timeoutMilliseconds = 10_000
const day = 86_400_000

/**
 * Signs users in on the app's own server, which creates the nonces, verifies the signatures (`@latchkey/verify`) and
 * keeps the sessions, for example with a cookie. `docs/sign-in.md` describes its endpoints.
 *
 * @example createLatchkey({ adapters, siwx: serverSignIn({ url: '/api/sign-in' }) })
 */
export function serverSignIn({ url, required = true, clock = systemClock, ...texts }: ServerSignInOptions): SignIn {
  const base = url.replace(/\/+$/, '')
  const request = (call: SignInCall): Promise<unknown> => requestServer(base, call, clock)
  const post = async (sessions: readonly SignInSession[]): Promise<void> => {
    const signed = sessions.map(({ message, signature, publicKey, cacao }) => ({
      message,
      signature,
      publicKey,
      cacao,
    }))
    await request({ method: 'POST', path: '/verify', body: { sessions: signed } })
  }

  return {
    async createMessage(about) {
      const nonce = getField(await request({ method: 'GET', path: '/nonce' }), 'nonce')
      if (typeof nonce !== 'string') throw httpError('http/invalid-response', { subject: 'a nonce' })
      return draftOf({ lifetime: day, ...texts }, about, nonce, clock.now())
    },
    addSession: (session) => post([session]),
    async setSessions(sessions) {
      if (sessions.length === 0) await request({ method: 'DELETE', path: '/session' })
      else await post(sessions)
    },
    async getSessions(chainId, address) {
      const sessions = readSessions(getField(await request({ method: 'GET', path: '/session' }), 'sessions'))
      return sessions
        .filter(({ data }) => data.chainId === chainId && isSameSignInAddress(data.accountAddress, address))
        .filter((session) => isCurrent(session, clock.now()))
    },
    async revokeSession(chainId, accountAddress) {
      const query = new URLSearchParams({ chainId, accountAddress })
      await request({ method: 'DELETE', path: `/session?${query.toString()}` })
    },
    getRequired: () => required,
  }
}

/**
 * Sends a request to the app's server, and a read once more if the server did not respond in time: it may have started for the
 * first request, or compiled the route for it. Without the session, the user would be disconnected.
 */
async function requestServer(base: string, call: SignInCall, clock: Clock): Promise<unknown> {
  try {
    return await sendOnce(base, call, clock)
  } catch (error) {
    if (call.method !== 'GET' || !isLatchkeyError(error, 'http/unreachable')) throw error
    return sendOnce(base, call, clock)
  }
}

/** Sends a request with the user's cookies, which identify the session. */
async function sendOnce(base: string, { method, path, body }: SignInCall, clock: Clock): Promise<unknown> {
  const bound = new AbortController()
  const cancel = clock.after(timeoutMilliseconds, () => bound.abort())
  try {
    const response = await fetch(base + path, {
      method,
      credentials: 'include',
      signal: bound.signal,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const parsed = parse(await response.text())
    if (response.ok) return parsed
    const reason = getField(parsed, 'reason')
    if (method !== 'POST') throw httpError('http/status', { status: response.status })
    throw signInError('sign-in/refused', {
      reason: typeof reason === 'string' ? reason : `the server responded with status ${response.status}`,
    })
  } catch (cause) {
    if (isLatchkeyError(cause)) throw cause
    throw httpError(
      'http/unreachable',
      { origin: URL.canParse(base) ? new URL(base).origin : location.origin },
      { cause },
    )
  } finally {
    cancel()
  }
}

function getField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
