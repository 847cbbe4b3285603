import { isLatchkeyError } from '@latchkey/protocol'
import { disconnect } from '../actions/disconnect.ts'
import { openModal, resetView } from '../actions/navigation.ts'
import { showToast } from '../actions/notices.ts'
import type { Latchkey } from '../latchkey.ts'
import { becomeSigned } from './becomeSigned.ts'
import type { SignInState } from './signIn.ts'
import { isRequired, policyOf, spell, subjectOf, type Subject } from './subject.ts'

/**
 * Finds out whether the active account is signed in on its network, and shows the sign-in where it is not [R2.2.8]. Asks
 * once for each account and network, however often it is called.
 *
 * @returns where signing in stands then
 */
export async function lookUp(latchkey: Latchkey): Promise<SignInState> {
  const subject = subjectOf(latchkey)
  const before = latchkey.signIn.getState()
  if (subject === undefined) {
    if (before.status !== 'off') latchkey.signIn.setState({ status: 'off' }, true)
    return latchkey.signIn.getState()
  }
  if (before.status !== 'off' && before.account === subject.account) return settled(latchkey)
  const policy = policyOf(latchkey)
  const about = { account: subject.account, required: isRequired(policy) }
  const looking: SignInState = { status: 'looking', ...about }
  latchkey.signIn.setState(looking, true)
  try {
    const [session] = await policy.getSessions(subject.chainId, await spell(latchkey, subject))
    // Another account came meanwhile, or none is left: that is looked up by itself.
    if (latchkey.signIn.getState() !== looking) return settled(latchkey)
    if (session === undefined) {
      latchkey.signIn.setState({ status: 'unsigned', ...about }, true)
      openModal(latchkey, { entry: { view: 'SIWXSignMessage', params: {} } })
    } else {
      becomeSigned(latchkey, about, session, () => void lookUpAgain(latchkey))
    }
  } catch (error) {
    if (latchkey.signIn.getState() === looking) await giveUp(latchkey, subject, error)
  }
  return latchkey.signIn.getState()
}

/** Asks anew whether there is a session, as the one that there was is over. */
export function lookUpAgain(latchkey: Latchkey): Promise<SignInState> {
  latchkey.signIn.setState({ status: 'off' }, true)
  return lookUp(latchkey)
}

/** Where signing in stands once nothing is being looked up. */
function settled({ signIn }: Latchkey): Promise<SignInState> {
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

/** Nobody stays connected of whom it is not known whether they are signed in [R4.3.3]. */
async function giveUp(latchkey: Latchkey, { account, chainId }: Subject, error: unknown): Promise<void> {
  const namespace = latchkey.adapters.find((adapter) => chainId.startsWith(`${adapter.namespace}:`))?.namespace
  latchkey.signIn.setState({ status: 'off' }, true)
  // The wallet may not listen; it is left all the same.
  await disconnect(latchkey, namespace).catch(() => {})
  resetView(latchkey, { view: 'Connect', params: {} })
  const text = 'A problem occurred while trying initialize authentication'
  showToast(latchkey, text, { variant: 'error', said: 'signInNotBegun' })
  const code = isLatchkeyError(error) ? error.code : undefined
  latchkey.events.emit({ type: 'sign-in-error', during: 'looking', account, code })
}
