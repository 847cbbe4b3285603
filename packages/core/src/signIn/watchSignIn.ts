import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { connectionStateOf } from '../state/getAccount.ts'
import { connectedWallet } from '../state/connectionState.ts'
import { findSession } from './findSession.ts'
import { getSignInPolicy, formatSignInAddress, getSignInSubject, type Subject } from './subject.ts'

/** Looks up the session of each new account, and signs out disconnected accounts, until the signal is aborted. */
export function watchSignIn(latchkey: Latchkey, signal: AbortSignal): void {
  if (signal.aborted) return
  const last = new Map<Namespace, Subject>()
  const follow = (): void => {
    if (latchkey.internal.tasks.connectingAll > 0) return
    const subject = getSignInSubject(latchkey)
    const { active } = latchkey.wallet.getState()
    if (subject !== undefined && active !== undefined) last.set(active, subject)
    void findSession(latchkey)
  }
  const stops = [
    latchkey.wallet.subscribe(follow),
    latchkey.events.subscribe((event) => {
      // Another tab signs out by itself.
      if (event.type !== 'disconnect' || event.by === 'other-tab') return
      const subject = last.get(event.namespace)
      last.delete(event.namespace)
      if (subject !== undefined) void signOutLeaving(latchkey, subject)
    }),
  ]
  signal.addEventListener('abort', () => {
    for (const stop of stops) stop()
  })
  follow()
}

/** Ends all sessions when the last account disconnects. If that fails, they expire by themselves. */
async function signOutLeaving(
  latchkey: Pick<Latchkey, 'adapters' | 'wallet' | 'internal'>,
  subject: Subject,
): Promise<void> {
  const policy = getSignInPolicy(latchkey)
  if (policy.signOutOnDisconnect === false) return
  const isEmpty = latchkey.adapters.every(
    ({ namespace }) => connectedWallet(connectionStateOf(latchkey, namespace)) === undefined,
  )
  try {
    if (isEmpty) await policy.setSessions([])
    else await policy.revokeSession(subject.chainId, await formatSignInAddress(latchkey, subject))
  } catch (error) {
    console.error(error)
  }
}
