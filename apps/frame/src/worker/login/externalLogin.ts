import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { FrameSocial } from '@latchkey/protocol'
import { ignoreRateLimit } from './ignoreRateLimit.ts'
import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'
import { toBase64url } from '../../services/toBase64url.ts'
import { beginFarcasterLogin, type FarcasterContext } from './beginFarcasterLogin.ts'
import type { DeviceProof } from './deviceApproval.ts'
import type { LoginResponse } from './mailLogin.ts'

/** The result of an external login, and the proof for the share store on a new device. */
export type ExternalLoginResult = {
  readonly response: LoginResponse
  readonly approval: DeviceProof
}

/** Logins through an identity provider's window or a Farcaster client. One at a time. */
export type ExternalLogin = {
  /** @param sendRequest.always true if the window goes on to the share store's login in any case */
  beginSocial(sendRequest: {
    provider: FrameSocial
    origin: string
    always: boolean
  }): Promise<{ uri: string; match?: string }>
  beginFarcaster(sendRequest: { origin: string }): Promise<{ url: string }>
  /** Accepts the secret of the current login, which redeems it without confirmation digits. */
  accept(handover: { id: string; secret: string }): boolean
  /** Resolves once the user has finished. Repeated calls wait for the same result. */
  finish(kind: 'social' | 'farcaster'): Promise<ExternalLoginResult>
}

export type ExternalLoginDependencies = {
  readonly auth: ServiceRequest
  readonly shares: ServiceRequest
  readonly projectId: string
  /** Thumbprint of the device key. */
  readonly thumbprint: string
  /** `undefined` if the deployment has no relay of Farcaster logins. */
  readonly farcaster: FarcasterContext | undefined
  now(): number
  pause(milliseconds: number): Promise<void>
}

type Attempt = {
  readonly kind: 'social' | 'farcaster'
  readonly handover: Handover
  /** Id of the login that a provider's window finishes. */
  readonly id?: string
  /** Returns the result once the user has finished. */
  poll(): Promise<ExternalLoginResult | undefined>
  waiting?: Promise<ExternalLoginResult>
}

/** The secret of a login, once its last page has passed it. */
type Handover = { readonly arrived: Promise<void>; secret?: string; arrive(secret: string): void }

const pollMs = 1_000
const timeoutMs = 15 * 60_000
/** Providers whose ID tokens anyone can verify (OpenID Connect). */
const checkable: readonly FrameSocial[] = ['google', 'apple', 'facebook']

export function createExternalLogin(dependencies: ExternalLoginDependencies): ExternalLogin {
  const { auth, shares, projectId, thumbprint, now, pause } = dependencies
  let current: Attempt | undefined
  async function follow(attempt: Attempt): Promise<ExternalLoginResult> {
    const { handover } = attempt
    for (const since = now(); now() - since < timeoutMs;) {
      if (attempt !== current) throw new ServiceRefusal(409, 'login', 'Another login has been started since.')
      const { secret } = handover
      const result = await attempt.poll().catch(ignoreRateLimit)
      if (result !== undefined) return result
      await (secret === undefined ? Promise.race([pause(pollMs), handover.arrived]) : pause(pollMs))
    }
    throw new ServiceRefusal(410, 'login', 'The login was not finished in time. Start again.')
  }

  return {
    async beginSocial({ provider, origin, always }) {
      const nonce = createNonce(thumbprint)
      const requested = { provider, projectId, origin }
      const { id: shareLogin, uri: next } = await shares('POST', '/shares/v1/social/begin', requested)
      const request = { ...requested, nonce, next: { uri: next, always } }
      const { id, uri, match } = await auth('POST', '/auth/v1/social/begin', request)
      // Otherwise the service could bind the provider's response to another device.
      if (checkable.includes(provider) && new URL(String(uri)).searchParams.get('nonce') !== nonce) {
        throw new ServiceRefusal(400, 'nonce', 'The login service returned the link of another login.')
      }
      current = createSocialAttempt(auth, { id: String(id), shareLogin: String(shareLogin) })
      return { uri: String(uri), ...(typeof match === 'string' && { match }) }
    },
    async beginFarcaster({ origin }) {
      const { url, poll } = await beginFarcasterLogin(dependencies, origin)
      current = { kind: 'farcaster', handover: createHandover(), poll }
      return { url }
    },
    accept({ id, secret }) {
      if (current?.kind !== 'social' || current.id !== id) return false
      current.handover.arrive(secret)
      return true
    },
    async finish(kind) {
      const attempt = current
      if (attempt?.kind !== kind) throw new ServiceRefusal(409, 'login', 'Start the login first.')
      attempt.waiting ??= follow(attempt).catch((error: unknown) => {
        // After a network failure the caller may try again.
        attempt.waiting = undefined
        throw error
      })
      return attempt.waiting
    },
  }
}

/** Creates a nonce that binds the provider's response to this device. Only the device knows the random input. */
function createNonce(thumbprint: string): string {
  const random = crypto.getRandomValues(new Uint8Array(32))
  return toBase64url(sha256(concatBytes(utf8ToBytes(thumbprint), random)))
}

/** A login at a provider. The share store's own login follows in the same window. */
function createSocialAttempt(auth: ServiceRequest, { id, shareLogin }: { id: string; shareLogin: string }): Attempt {
  const handover = createHandover()
  return {
    kind: 'social',
    id,
    handover,
    async poll() {
      const { secret } = handover
      const response = await auth('POST', '/auth/v1/social/redeem', { id, ...(secret !== undefined && { secret }) })
      if (response.state !== 'done') return undefined
      return { response, approval: { kind: 'code', login: shareLogin, isExpected: response.continues === true } }
    },
  }
}

function createHandover(): Handover {
  let signal = (): void => {}
  const handover: Handover = {
    arrived: new Promise((resolve) => void (signal = resolve)),
    arrive(secret) {
      handover.secret ??= secret
      signal()
    },
  }
  return handover
}
