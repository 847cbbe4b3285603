import type { Latchkey } from '../instance/latchkey.ts'
import { signInError } from './signInError.ts'
import { isSignInRequired, getSignInPolicy, formatSignInAddress, getSignInSubject } from './subject.ts'

/** Implements `signOut`. Loaded on first use. */
export async function signOutNow(latchkey: Latchkey): Promise<void> {
  const policy = getSignInPolicy(latchkey)
  const subject = getSignInSubject(latchkey)
  if (subject === undefined) throw signInError('sign-in/no-account', {})
  await policy.revokeSession(subject.chainId, await formatSignInAddress(latchkey, subject))
  const { account } = subject
  latchkey.signIn.setState({ status: 'unsigned', account, required: isSignInRequired(policy) }, true)
  latchkey.events.emit({ type: 'sign-out', account })
}
