import {
  checkSignInMessage,
  formatSignInMessage,
  isLatchkeyError,
  type SignInSession,
  connectionError,
} from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { getActiveConnection } from '../state/connectedWallets.ts'
import { accountStateOf } from '../state/getAccount.ts'
import { applySession } from './applySession.ts'
import { refreshSession } from './findSession.ts'
import { isSameSignInAddress } from './isSameSignInAddress.ts'
import type { SignInDraft, SignInState } from './signInState.ts'
import { signInError } from './signInError.ts'
import { isSignInRequired, getSignInPolicy, formatSignInAddress, getSignInSubject, type Subject } from './subject.ts'

/** Implements `signIn`. Loaded on first use. */
export async function signInNow(latchkey: Latchkey): Promise<SignInSession> {
  const policy = getSignInPolicy(latchkey)
  if (accountStateOf(latchkey).status !== 'connected') throw signInError('sign-in/no-account', {})
  const subject = getSignInSubject(latchkey)
  if (subject === undefined) throw signInError('sign-in/no-network', {})
  const about = { account: subject.account, required: isSignInRequired(policy) }
  const signing: SignInState = { status: 'signing', ...about }
  latchkey.signIn.setState(signing, true)
  const assertStillConnected = (): void => {
    if (latchkey.signIn.getState() !== signing) throw connectionError('connection/aborted', {})
  }
  try {
    const session = await signMessageOf(latchkey, subject, assertStillConnected)
    await policy.addSession(session)
    assertStillConnected()
    applySession(latchkey, about, session, () => void refreshSession(latchkey))
  } catch (error) {
    if (latchkey.signIn.getState() === signing) failSignIn(latchkey, { status: 'unsigned', ...about, error })
    throw error
  }
  const state = latchkey.signIn.getState()
  if (state.status !== 'signed') throw connectionError('connection/aborted', {})
  latchkey.events.emit({ type: 'sign-in', account: subject.account })
  return state.session
}

/** Requests the signature of the policy's message from the account's wallet. */
async function signMessageOf(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>,
  subject: Subject,
  assertStillConnected: () => void,
): Promise<SignInSession> {
  const policy = getSignInPolicy(latchkey)
  const { adapter, state, network } = getActiveConnection(latchkey)
  const { chainId } = subject
  const accountAddress = await formatSignInAddress(latchkey, subject)
  const data = await policy.createMessage({ chainId, accountAddress })
  if (data.chainId !== chainId || !isSameSignInAddress(data.accountAddress, accountAddress)) {
    throw signInError('sign-in/invalid', { reason: 'its message is about another account or chain' })
  }
  const message = formatDraft(data)
  assertStillConnected()
  const signature =
    (await policy.signMessage?.({ message, chainId, accountAddress })) ??
    (await adapter.signMessage(state.connection, state.account, message))
  assertStillConnected()
  if (policy.verifiesInPage === true && !(await adapter.verifyMessage(network, accountAddress, message, signature))) {
    throw signInError('sign-in/refused', { reason: 'the signature is not of this account' })
  }
  assertStillConnected()
  const publicKey = state.connection.details?.(state.account)?.publicKey
  const { toString: _, ...fields } = data
  return { data: fields, message, signature, ...(publicKey === undefined ? {} : { publicKey }) }
}

/**
 * Formats the message of a policy: with its own `toString`, or else according to CAIP-122.
 *
 * @throws LatchkeyError `sign-in/invalid`.
 */
function formatDraft(data: SignInDraft): string {
  if (data.toString !== undefined && data.toString !== Object.prototype.toString) return String(data)
  checkSignInMessage(data)
  return formatSignInMessage(data)
}

/** Reports a failed attempt. The sign-in stays open [R4.3.2]. */
function failSignIn(
  latchkey: Pick<Latchkey, 'signIn' | 'events'>,
  state: Extract<SignInState, { status: 'unsigned' }>,
): void {
  latchkey.signIn.setState(state, true)
  const code = isLatchkeyError(state.error) ? state.error.code : undefined
  latchkey.events.emit({ type: 'sign-in-error', during: 'signing', account: state.account, code })
}
