import type { Latchkey } from '../latchkey.ts'
import { signInError } from './signInError.ts'
import { isRequired, policyOf, spell, subjectOf } from './subject.ts'

/** What `signOut` does; loaded when somebody signs out. */
export async function signOutNow(latchkey: Latchkey): Promise<void> {
  const policy = policyOf(latchkey)
  const subject = subjectOf(latchkey)
  if (subject === undefined) throw signInError('sign-in/no-account', {})
  await policy.revokeSession(subject.chainId, await spell(latchkey, subject))
  const { account } = subject
  latchkey.signIn.setState({ status: 'unsigned', account, required: isRequired(policy) }, true)
  latchkey.events.emit({ type: 'sign-out', account })
}
