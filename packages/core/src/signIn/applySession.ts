import type { AccountId, SignInSession } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import type { SignInState } from './signInState.ts'

/** The longest delay of a platform timer. Longer sessions are checked on the next visit. */
const longest = 2 ** 31 - 1

/**
 * Stores the session in the state until it expires.
 *
 * @param expired called when the session expires, if the account is still active
 */
export function applySession(
  latchkey: Pick<Latchkey, 'signIn' | 'internal'>,
  about: { account: AccountId; required: boolean },
  session: SignInSession,
  expired: () => void,
): void {
  const { signIn, internal } = latchkey
  const { clock, tasks } = internal
  const signed: SignInState = { status: 'signed', ...about, session }
  signIn.setState(signed, true)
  tasks.cancelSessionTimer()
  const { expirationTime } = session.data
  const left = expirationTime === undefined ? longest : Date.parse(expirationTime) - clock.now()
  // A session that has expired but still counts must not be looked up repeatedly.
  if (!(left > 0 && left < longest)) return
  const end = (): void => void (signIn.getState() === signed && expired())
  tasks.cancelSessionTimer = clock.after(left, end)
}
