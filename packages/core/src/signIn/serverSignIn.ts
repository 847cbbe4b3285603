import { LatchkeyError, type SignInSession } from '@latchkey/protocol'
import { systemClock, type Clock } from '../clock.ts'
import { draftOf, type SignInTexts } from './draft.ts'
import { isCurrent, readSessions } from './readSessions.ts'
import { sameAddress } from './sameAddress.ts'
import type { SignIn } from './signIn.ts'
import { signInError } from './signInError.ts'

export type ServerSignInOptions = SignInTexts & {
  /** Where the app's server answers: `/nonce`, `/verify` and `/session` are below. */
  url: string
  /** Whether nobody stays connected without signing in; true when left out. */
  required?: boolean
  clock?: Clock
}

type Question = { method: 'GET' | 'POST' | 'DELETE'; path: string; body?: unknown }

const answerMilliseconds = 10_000
const day = 86_400_000

/**
 * Signs visitors in on the app's own server, which makes the nonces, proves the signatures (`@latchkey/verify`) and
 * keeps the sessions, by a cookie or as it likes. What it is asked stands in `docs/sign-in.md`.
 *
 * @example createLatchkey({ adapters, siwx: serverSignIn({ url: '/api/sign-in' }) })
 */
export function serverSignIn({ url, required = true, clock = systemClock, ...texts }: ServerSignInOptions): SignIn {
  const base = url.replace(/\/+$/, '')
  const ask = (question: Question): Promise<unknown> => askServer(base, question, clock)
  const post = async (sessions: readonly SignInSession[]): Promise<void> => {
    const signed = sessions.map(({ message, signature, publicKey, cacao }) => ({
      message,
      signature,
      publicKey,
      cacao,
    }))
    await ask({ method: 'POST', path: '/verify', body: { sessions: signed } })
  }

  return {
    async createMessage(about) {
      const nonce = field(await ask({ method: 'GET', path: '/nonce' }), 'nonce')
      if (typeof nonce !== 'string') throw new LatchkeyError('http/invalid-answer', { what: 'a nonce' })
      return draftOf({ lifetime: day, ...texts }, about, nonce, clock.now())
    },
    addSession: (session) => post([session]),
    async setSessions(sessions) {
      if (sessions.length === 0) await ask({ method: 'DELETE', path: '/session' })
      else await post(sessions)
    },
    async getSessions(chainId, address) {
      const sessions = readSessions(field(await ask({ method: 'GET', path: '/session' }), 'sessions'))
      return sessions
        .filter(({ data }) => data.chainId === chainId && sameAddress(data.accountAddress, address))
        .filter((session) => isCurrent(session, clock.now()))
    },
    async revokeSession(chainId, accountAddress) {
      const query = new URLSearchParams({ chainId, accountAddress })
      await ask({ method: 'DELETE', path: `/session?${query.toString()}` })
    },
    getRequired: () => required,
  }
}

/** Asks the app's server, with the visitor's cookies: a session is worth nothing without. */
async function askServer(base: string, { method, path, body }: Question, clock: Clock): Promise<unknown> {
  const bound = new AbortController()
  const cancel = clock.after(answerMilliseconds, () => bound.abort())
  try {
    const response = await fetch(base + path, {
      method,
      credentials: 'include',
      signal: bound.signal,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const answer = parse(await response.text())
    if (response.ok) return answer
    const reason = field(answer, 'reason')
    if (method !== 'POST') throw new LatchkeyError('http/status', { status: response.status })
    throw signInError('sign-in/refused', {
      reason: typeof reason === 'string' ? reason : `the server answered with status ${response.status}`,
    })
  } catch (cause) {
    if (cause instanceof LatchkeyError) throw cause
    throw new LatchkeyError(
      'http/unreachable',
      { origin: URL.canParse(base) ? new URL(base).origin : location.origin },
      { cause },
    )
  } finally {
    cancel()
  }
}

function field(value: unknown, name: string): unknown {
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
