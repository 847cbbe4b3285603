import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { ServiceRefusal, type ServiceRequest } from '../../services/serviceRequest.ts'
import type { DeviceProof } from './deviceApproval.ts'
import { openFarcasterChannel, type SignedFarcasterMessage } from './farcasterChannel.ts'
import type { LoginResponse } from './mailLogin.ts'

/** The relay of Farcaster logins, and the URL of this site, which signed messages name. */
export type FarcasterContext = { readonly relayUrl: string; readonly frameUrl: string }

export type FarcasterLoginDependencies = {
  readonly auth: ServiceRequest
  readonly shares: ServiceRequest
  readonly projectId: string
  /** Thumbprint of the device key. */
  readonly thumbprint: string
  /** `undefined` if the deployment has no relay. */
  readonly farcaster: FarcasterContext | undefined
}

/** A login that waits for the approval in the user's Farcaster application. */
export type FarcasterLogin = {
  /** Link that opens the application. */
  readonly url: string
  /** Returns the result once the user has approved. */
  poll(): Promise<{ readonly response: LoginResponse; readonly approval: DeviceProof } | undefined>
}

/**
 * Begins a login with a Farcaster account. Both services issue a challenge, and the nonce of the signed message commits to the
 * challenges and to the device key. So a message that was signed for this login is of no use to another key.
 *
 * @throws ServiceRefusal 400 `provider` if the deployment has no relay, 502 `provider`, and those of the services
 * @example const { url, poll } = await beginFarcasterLogin({ auth, shares, projectId, thumbprint, farcaster }, origin)
 */
export async function beginFarcasterLogin(
  { auth, shares, projectId, thumbprint, farcaster }: FarcasterLoginDependencies,
  origin: string,
): Promise<FarcasterLogin> {
  if (farcaster === undefined) throw new ServiceRefusal(400, 'provider', 'This login is not set up here.')
  const { relayUrl, frameUrl } = farcaster
  const requested = { projectId, origin }
  const challenge = parseChallenge(await auth('POST', '/auth/v1/farcaster/begin', requested))
  const sharesChallenge = parseChallenge(await shares('POST', '/shares/v1/farcaster/begin', requested))
  const commitment = ['latchkey/farcaster/1', thumbprint, challenge, sharesChallenge].join('\n')
  const channel = await openFarcasterChannel(relayUrl, { frameUrl, nonce: bytesToHex(sha256(utf8ToBytes(commitment))) })
  let signed: SignedFarcasterMessage | undefined
  return {
    url: channel.url,
    async poll() {
      // Relays return the message once, and a service may fail after that.
      signed ??= await channel.poll()
      if (signed === undefined) return undefined
      const { message, signature } = signed
      const body = { challenge: sharesChallenge, authChallenge: challenge, message, signature }
      const response = await auth('POST', '/auth/v1/farcaster/redeem', { challenge, sharesChallenge, ...signed })
      return { response, approval: { kind: 'checked', path: '/shares/v1/identity/farcaster', body } }
    },
  }
}

function parseChallenge({ challenge }: Record<string, unknown>): string {
  if (typeof challenge === 'string' && /^[A-Za-z0-9_-]{43}$/.test(challenge)) return challenge
  throw new Error('The response has no challenge.')
}
