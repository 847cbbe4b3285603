import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { FrameSocial } from '@latchkey/protocol'
import { isRecord, ServiceRefusal, type Ask } from '../services/ask.ts'
import { writeBytes } from '../services/bytes.ts'
import type { LoggedIn } from './mailLogin.ts'

/** What a login elsewhere ended in, and how the share store is convinced of it where this device is new. */
export type OtherEnd = {
  readonly answer: LoggedIn
  readonly approval: Approval
}

/** What the share store checks itself, without taking the auth service's word. */
export type Approval =
  | { readonly kind: 'checked'; readonly path: string; readonly body: object }
  /** Nothing that it could check: a link by mail, but for the very first device. */
  | { readonly kind: 'mail'; readonly email: string | undefined; readonly origin: string }

/** Logins through a provider's window, or a Farcaster client: one at a time. */
export type OtherLogin = {
  beginSocial(ask: { provider: FrameSocial; origin: string }): Promise<{ uri: string; match?: string }>
  beginFarcaster(ask: { origin: string }): Promise<{ url: string }>
  /** Settled when the visitor was through. Whoever asks twice waits for the same. */
  finish(kind: 'social' | 'farcaster'): Promise<OtherEnd>
}

export type OtherLoginParts = {
  readonly auth: Ask
  readonly projectId: string
  /** Of the device's key. */
  readonly thumbprint: string
  now(): number
  pause(milliseconds: number): Promise<void>
}

type Attempt = {
  readonly kind: 'social' | 'farcaster'
  readonly id: string
  readonly origin: string
  readonly random: Uint8Array
  readonly provider?: FrameSocial
  waiting?: Promise<OtherEnd>
}

const pollMs = 1_000
const patienceMs = 15 * 60_000
/** Providers whose word on who somebody is can be checked by everybody (OpenID Connect). */
const checkable: readonly FrameSocial[] = ['google', 'apple', 'facebook']

export function createOtherLogin({ auth, projectId, thumbprint, now, pause }: OtherLoginParts): OtherLogin {
  let current: Attempt | undefined
  /** Binds what the provider says to this device: nobody else knows what it was made of. */
  const bind = () => {
    const random = crypto.getRandomValues(new Uint8Array(32))
    return { random, hash: sha256(concatBytes(utf8ToBytes(thumbprint), random)) }
  }

  async function follow(attempt: Attempt): Promise<OtherEnd> {
    const { kind, id } = attempt
    for (const since = now(); now() - since < patienceMs; await pause(pollMs)) {
      if (attempt !== current) throw new ServiceRefusal(409, 'login', 'Another login was begun meanwhile.')
      const answer = await auth('POST', `/auth/v1/${kind}/redeem`, { id })
      if (answer.state === 'done') return { answer, approval: approvalOf(attempt, answer) }
    }
    throw new ServiceRefusal(410, 'login', 'The login was not finished in time. Begin again.')
  }

  return {
    async beginSocial({ provider, origin }) {
      const { random, hash } = bind()
      const nonce = writeBytes(hash)
      const { id, uri, match } = await auth('POST', '/auth/v1/social/begin', { provider, projectId, origin, nonce })
      // Else the service could have the provider's answer bound to another device.
      if (checkable.includes(provider) && new URL(String(uri)).searchParams.get('nonce') !== nonce) {
        throw new ServiceRefusal(400, 'nonce', 'The login service gave a link that is not of this login.')
      }
      current = { kind: 'social', id: String(id), origin, random, provider }
      return { uri: String(uri), ...(typeof match === 'string' && { match }) }
    },
    async beginFarcaster({ origin }) {
      const { random, hash } = bind()
      const nonce = bytesToHex(hash)
      const { id, url } = await auth('POST', '/auth/v1/farcaster/begin', { projectId, origin, nonce })
      current = { kind: 'farcaster', id: String(id), origin, random }
      return { url: String(url) }
    },
    async finish(kind) {
      const attempt = current
      if (attempt?.kind !== kind) throw new ServiceRefusal(409, 'login', 'Begin the login first.')
      attempt.waiting ??= follow(attempt).catch((error: unknown) => {
        // Whoever lost the network may ask again.
        attempt.waiting = undefined
        throw error
      })
      return attempt.waiting
    },
  }
}

function approvalOf({ kind, provider, random, origin }: Attempt, answer: LoggedIn): Approval {
  const { idToken, signed, user } = answer
  const path = '/shares/v1/identity'
  if (kind === 'farcaster' && isRecord(signed)) {
    const { message, signature } = signed
    return { kind: 'checked', path: `${path}/farcaster`, body: { message, signature, random: writeBytes(random) } }
  }
  if (typeof idToken === 'string') {
    return { kind: 'checked', path, body: { provider, token: idToken, random: writeBytes(random) } }
  }
  const email = isRecord(user) && typeof user.email === 'string' ? user.email : undefined
  return { kind: 'mail', email, origin }
}
