import { classifyMethod, isLatchkeyError, LatchkeyError, type ChainId } from '@latchkey/protocol'
import { walletConnectError } from './errors.ts'
import type { Journal } from './journal.ts'
import { isRefusal, peerErrors } from './messages.ts'
import { onlyTells } from './namespaces.ts'
import type { Peer } from './peer.ts'
import type { Phone } from './phone.ts'
import { inBackground } from './promise.ts'
import { sessionLifetime, type Session } from './session.ts'

/**
 * How far a request came:
 *
 * - `sent`: it left for the relay, and may have arrived there.
 * - `delivered`: the relay has it, and keeps it for the wallet.
 * - `answered`: with a result or with an error, by the wallet or by a relay that does not take it.
 * - `rejected`: a person declined.
 * - `expired`: nobody answers any more, and nothing can have been signed.
 * - `unknown`: nobody answered in time, but the wallet may have signed, or still sign. Never ask again unwarned.
 *
 * A request that never left has no state.
 */
export type RequestState = 'sent' | 'delivered' | 'answered' | 'rejected' | 'expired' | 'unknown'

export type SessionRequest = {
  topic: string
  chainId: ChainId
  method: string
  params: unknown
  /** How long the wallet may take, in seconds: 300 to 604 800, 900 by default. The relay keeps the request as long. */
  expiry?: number
  /** Follows the request; each state is told once, and the last one before the promise settles. */
  onState?(state: RequestState): void
}

/** Seconds. */
const patience = { shortest: 300, default: 900, longest: sessionLifetime } as const

/** Where requests come from. */
export type Asker = Peer & { readonly journal: Journal; readonly phone?: Phone }

/** Asks the wallet of a session, and says truthfully what became of it. */
export function ask(
  { channel, clock, journal, storage, phone }: Asker,
  session: Session,
  { chainId, method, params, expiry = patience.default, onState = () => {} }: SessionRequest,
): Promise<unknown> {
  const { topic } = session
  const within = Math.min(Math.max(expiry, patience.shortest), patience.longest)
  const expiryTimestamp = Math.floor(clock.now() / 1000) + within
  const body = { request: { method, params, expiryTimestamp }, chainId }
  let state: RequestState | undefined
  const reach = (next: RequestState): void => {
    state = next
    onState(next)
  }
  const onSent = (): void => reach('sent')
  const { id, published, answer } = channel.request(topic, 'wc_sessionRequest', body, { within, onSent })
  // Before it leaves: the page can go away at any moment after.
  const needsPerson = classifyMethod(method) !== 'safe'
  const isKept = needsPerson && !onlyTells(method)
  if (isKept) journal.add({ id, topic, chainId, method, expiry: expiryTimestamp })
  const delivered = published.then(async () => {
    // The wallet can be faster than the relay's own answer.
    if (state === 'sent') reach('delivered')
    if (!needsPerson || state !== 'delivered' || session.link !== undefined) return
    const { openWallet } = await import('./openWallet.ts')
    openWallet(session, id, storage, phone)
  })
  inBackground(delivered)
  const settle = (last: RequestState | undefined): void => {
    if (last !== 'unknown') journal.take(topic, id)
    if (last !== undefined) reach(last)
  }
  return answer.then(
    (result) => {
      settle('answered')
      return result
    },
    (error: unknown) => {
      const told = outcomeOf(error, { method, session, mayBeDone: isKept && state !== undefined })
      settle(state === undefined ? undefined : lastState(told))
      throw told
    },
  )
}

type Asked = { method: string; session: Session; mayBeDone: boolean }

/** Says what became of a request, in the words of a Provider. */
function outcomeOf(cause: unknown, { method, session, mayBeDone }: Asked): unknown {
  if (isLatchkeyError(cause, 'request/failed')) {
    const { code, reason } = cause.context
    if (isRefusal(code)) return new LatchkeyError('request/rejected', { method }, { cause })
    if (code === peerErrors.requestExpired.code) return walletConnectError('request/expired', { method }, { cause })
    if (code === peerErrors.disconnected.code) return walletConnectError('session/ended', { wallet: session.peer.name })
    return new LatchkeyError('request/failed', { method, code, reason }, { cause })
  }
  // What left and was not answered may have been signed all the same; nobody must ask for a second one unwarned.
  if (mayBeDone) return new LatchkeyError('request/unknown', { method }, { cause })
  return isLatchkeyError(cause, 'request/expired')
    ? walletConnectError('request/expired', { method }, { cause })
    : cause
}

function lastState(error: unknown): RequestState {
  if (isLatchkeyError(error, 'request/unknown')) return 'unknown'
  if (isLatchkeyError(error, 'request/rejected')) return 'rejected'
  return isLatchkeyError(error, 'request/failed') ? 'answered' : 'expired'
}
