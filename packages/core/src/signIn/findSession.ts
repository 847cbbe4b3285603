import { isLatchkeyError } from '@latchkey/protocol'
import { disconnect } from '../connection/disconnect.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { applySession } from './applySession.ts'
import type { SignInState } from './signInState.ts'
import { isSignInRequired, getSignInPolicy, formatSignInAddress, getSignInSubject, type Subject } from './subject.ts'

/**
 * Looks up the session of the active account on its network, and requires the sign-in if there is none [R2.2.8].
 * Repeated calls for one account and network share one lookup.
 *
 * @returns the sign-in state after the lookup
 */
export async function findSession(latchkey: Latchkey): Promise<SignInState> {
  const subject = getSignInSubject(latchkey)
  const before = latchkey.signIn.getState()
  if (subject === undefined) {
    if (before.status !== 'off') latchkey.signIn.setState({ status: 'off' }, true)
    return latchkey.signIn.getState()
  }
  if (before.status !== 'off' && before.account === subject.account) return waitForSession(latchkey)
  const policy = getSignInPolicy(latchkey)
  const about = { account: subject.account, required: isSignInRequired(policy) }
  const looking: SignInState = { status: 'looking', ...about }
  latchkey.signIn.setState(looking, true)
  try {
    const [session] = await policy.getSessions(subject.chainId, await formatSignInAddress(latchkey, subject))
    // The account has changed or disconnected since. The new account has its own lookup.
    if (latchkey.signIn.getState() !== looking) return waitForSession(latchkey)
    if (session === undefined) {
      latchkey.signIn.setState({ status: 'unsigned', ...about }, true)
      latchkey.events.emit({ type: 'sign-in-required', ...about })
    } else {
      applySession(latchkey, about, session, () => void refreshSession(latchkey))
    }
  } catch (error) {
    if (latchkey.signIn.getState() === looking) await abortSignIn(latchkey, subject, error)
  }
  return latchkey.signIn.getState()
}

/** Looks up the session again after the previous one expired. */
export function refreshSession(latchkey: Latchkey): Promise<SignInState> {
  latchkey.signIn.setState({ status: 'off' }, true)
  return findSession(latchkey)
}

/** Returns the sign-in state once the lookup is done. */
function waitForSession({ signIn }: Pick<Latchkey, 'signIn'>): Promise<SignInState> {
  return new Promise((resolve) => {
    const stop = signIn.subscribe((state) => void (state.status === 'looking' || done(state)))
    const done = (state: SignInState): void => {
      stop()
      resolve(state)
    }
    const state = signIn.getState()
    if (state.status !== 'looking') done(state)
  })
}

/** Disconnects, because it is unknown if the account is signed in [R4.3.3]. */
async function abortSignIn(latchkey: Latchkey, { account, chainId }: Subject, error: unknown): Promise<void> {
  const namespace = latchkey.adapters.find((adapter) => chainId.startsWith(`${adapter.namespace}:`))?.namespace
  latchkey.signIn.setState({ status: 'off' }, true)
  // The app disconnects even if the wallet can't be notified.
  await disconnect(latchkey, namespace).catch(() => {})
  const code = isLatchkeyError(error) ? error.code : undefined
  latchkey.events.emit({ type: 'sign-in-error', during: 'lookup', account, code })
}
