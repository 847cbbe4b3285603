import type { Latchkey } from '../latchkey.ts'
import { disconnect } from './disconnect.ts'
import { dismissModal } from './navigation.ts'

/** Leaves the sign-in view without signing: a required sign-in ends the connection, an optional one is skipped. */
export async function cancelSignIn(latchkey: Latchkey): Promise<void> {
  const state = latchkey.signIn.getState()
  try {
    if (state.status === 'off' || state.status === 'signed') return
    const { account, required } = state
    // What the wallet answers from now on is too late.
    latchkey.signIn.setState({ status: 'unsigned', account, required }, true)
    latchkey.events.emit({ type: 'sign-in-cancel' })
    if (required) await disconnect(latchkey, latchkey.wallet.getState().active)
  } finally {
    dismissModal(latchkey)
  }
}
