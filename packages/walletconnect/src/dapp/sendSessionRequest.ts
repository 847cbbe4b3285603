import { classifyMethod, isLatchkeyError, type ChainId, requestError } from '@latchkey/protocol'
import { isRejectionCode, peerErrors } from '../channel/peerError.ts'
import type { SignClient } from '../channel/signClient.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import { assertMethodApproved } from '../session/assertMethodApproved.ts'
import { isAccountQuery } from '../session/namespaceScopes.ts'
import { sessionLifetime, type Session } from '../session/session.ts'
import { walletConnectError } from '../walletConnectError.ts'
import type { Phone } from './deepLink/phone.ts'
import type { OpenRequests } from './openRequests.ts'

/**
 * The progress of a request:
 *
 * - `sent`: it was sent to the relay and may have arrived there.
 * - `delivered`: the relay has stored it for the wallet.
 * - `responded`: the wallet responded with a result or an error, or the relay refused it.
 * - `rejected`: the user declined.
 * - `expired`: no response can arrive any longer, and nothing can have been signed.
 * - `unknown`: no response came in time, but the wallet may have signed or may still sign. Warn the user before you send
 *   the request again.
 *
 * A request that was never sent has no state.
 */
export type RequestState = 'sent' | 'delivered' | 'responded' | 'rejected' | 'expired' | 'unknown'

export type SessionRequest = {
  topic: string
  chainId: ChainId
  method: string
  params: unknown
  /** Timeout of the wallet's response, in seconds: 300 to 604,800. Defaults to 900. Also the TTL at the relay. */
  expiry?: number
  /** Called once per state. The last call comes before the promise settles. */
  onState?(state: RequestState): void
}

/** Seconds. */
const expiryLimits = { shortest: 300, default: 900, longest: sessionLifetime } as const

export type SessionRequestDependencies = SignClient & { readonly openRequests: OpenRequests; readonly phone?: Phone }

/**
 * Sends a request to the wallet of a session.
 *
 * @throws LatchkeyError `network/unsupported`, `request/rejected`, `request/failed`, `request/unknown`, `request/expired`,
 * `session/ended`, `relay/…`
 */
export async function sendSessionRequest(
  { channel, clock, openRequests, storage, phone }: SessionRequestDependencies,
  session: Session,
  { chainId, method, params, expiry = expiryLimits.default, onState }: SessionRequest,
): Promise<unknown> {
  const { topic } = session
  assertMethodApproved(session, method, chainId)
  const timeoutSeconds = Math.min(Math.max(expiry, expiryLimits.shortest), expiryLimits.longest)
  const expiryTimestamp = Math.floor(clock.now() / 1000) + timeoutSeconds
  const body = { request: { method, params, expiryTimestamp }, chainId }
  const progress = createProgress(onState)
  const onSent = (): void => progress.set('sent')
  const { id, published, response } = channel.request(topic, 'wc_sessionRequest', body, { timeoutSeconds, onSent })
  const needsUser = classifyMethod(method) !== 'safe'
  const maySign = needsUser && !isAccountQuery(method)
  // Stored before it is sent: the page can close at any moment afterwards.
  if (maySign) openRequests.add({ id, topic, chainId, method, expiry: expiryTimestamp })
  const delivered = published.then(async () => {
    // The wallet can respond before the relay does.
    if (progress.get() === 'sent') progress.set('delivered')
    if (!needsUser || progress.get() !== 'delivered' || session.link !== undefined) return
    const { openWallet } = await import('./deepLink/openWallet.ts')
    openWallet(session, id, storage, phone)
  })
  runInBackground(delivered)
  try {
    const result = await response
    openRequests.take(topic, id)
    progress.set('responded')
    return result
  } catch (cause) {
    const wasSent = progress.get() !== undefined
    const error = toRequestError(cause, { method, session, maySign: maySign && wasSent })
    const state = finalRequestState(error)
    if (!wasSent || state !== 'unknown') openRequests.take(topic, id)
    if (wasSent) progress.set(state)
    throw error
  }
}

function createProgress(onState: SessionRequest['onState']): {
  get(): RequestState | undefined
  set(state: RequestState): void
} {
  let current: RequestState | undefined
  return {
    get: () => current,
    set(state) {
      current = state
      onState?.(state)
    },
  }
}

type RequestContext = { method: string; session: Session; maySign: boolean }

/** Converts an error of the channel to the error that the app receives. */
function toRequestError(cause: unknown, { method, session, maySign }: RequestContext): unknown {
  if (isLatchkeyError(cause, 'request/failed')) {
    const { code, reason } = cause.context
    if (isRejectionCode(code)) return requestError('request/rejected', { method }, { cause })
    if (code === peerErrors.requestExpired.code) return walletConnectError('request/expired', { method }, { cause })
    if (code === peerErrors.disconnected.code) return walletConnectError('session/ended', { wallet: session.peer.name })
    return requestError('request/failed', { method, code, reason }, { cause })
  }
  // A sent request without a response may have been signed. The user must be warned before a second one.
  if (maySign) return requestError('request/unknown', { method }, { cause })
  return isLatchkeyError(cause, 'request/expired')
    ? walletConnectError('request/expired', { method }, { cause })
    : cause
}

function finalRequestState(error: unknown): RequestState {
  if (isLatchkeyError(error, 'request/unknown')) return 'unknown'
  if (isLatchkeyError(error, 'request/rejected')) return 'rejected'
  return isLatchkeyError(error, 'request/failed') ? 'responded' : 'expired'
}
