import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { stateOf } from '../state/wallet.ts'
import { standing } from '../state/connections.ts'
import { lookUp } from './lookUp.ts'
import { policyOf, spell, subjectOf, type Subject } from './subject.ts'

/** Asks whoever comes to sign in, and signs out whoever leaves, as long as the signal lets it. */
export function watchSignIn(latchkey: Latchkey, signal: AbortSignal): void {
  if (signal.aborted) return
  const last = new Map<Namespace, Subject>()
  const follow = (): void => {
    const subject = subjectOf(latchkey)
    const { active } = latchkey.wallet.getState()
    if (subject !== undefined && active !== undefined) last.set(active, subject)
    void lookUp(latchkey)
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

/** The last one out takes all sessions along. A failure leaves them to end by themselves. */
async function signOutLeaving(latchkey: Latchkey, subject: Subject): Promise<void> {
  const policy = policyOf(latchkey)
  if (policy.signOutOnDisconnect === false) return
  const isEmpty = latchkey.adapters.every(({ namespace }) => standing(stateOf(latchkey, namespace)) === undefined)
  try {
    if (isEmpty) await policy.setSessions([])
    else await policy.revokeSession(subject.chainId, await spell(latchkey, subject))
  } catch (error) {
    console.error(error)
  }
}
