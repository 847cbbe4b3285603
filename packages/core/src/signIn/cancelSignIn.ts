import type { Latchkey } from '../instance/latchkey.ts'
import { disconnect } from '../connection/disconnect.ts'

/**
 * Declines to sign in. A required sign-in ends the connection. Signatures that arrive later are ignored.
 *
 * @throws LatchkeyError `disconnect/failed`
 * @example await cancelSignIn(latchkey)
 */
export async function cancelSignIn(latchkey: Latchkey): Promise<void> {
  const state = latchkey.signIn.getState()
  if (state.status === 'off' || state.status === 'signed') return
  const { account, required } = state
  latchkey.signIn.setState({ status: 'unsigned', account, required }, true)
  latchkey.events.emit({ type: 'sign-in-cancel' })
  if (required) await disconnect(latchkey, latchkey.wallet.getState().active)
}
