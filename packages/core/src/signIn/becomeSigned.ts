import type { AccountId, SignInSession } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import type { SignInState } from './signIn.ts'

/** The longest wait that a timer of the platform knows; who stays longer is asked at his next visit. */
const longest = 2 ** 31 - 1

/**
 * Writes down that somebody is signed in, until his session expires.
 *
 * @param expired what to do then, if he is still there
 */
export function becomeSigned(
  latchkey: Latchkey,
  about: { account: AccountId; required: boolean },
  session: SignInSession,
  expired: () => void,
): void {
  const { clock, running, signIn } = latchkey
  const signed: SignInState = { status: 'signed', ...about, session }
  signIn.setState(signed, true)
  running.timers.get('sign-in')?.()
  const { expirationTime } = session.data
  const left = expirationTime === undefined ? longest : Date.parse(expirationTime) - clock.now()
  // One that is over already, and counts all the same, is not asked about again and again.
  if (!(left > 0 && left < longest)) return
  const end = (): void => void (signIn.getState() === signed && expired())
  running.timers.set('sign-in', clock.after(left, end))
}
