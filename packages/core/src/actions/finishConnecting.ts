import type { Latchkey } from '../latchkey.ts'
import { isInHistory } from '../modal/modal.ts'
import { getAccount } from '../state/wallet.ts'
import { dismissModal, openModal } from './navigation.ts'

/**
 * What follows a connection made in the modal: signing in where that is asked for, an unsupported network to leave,
 * or nothing more to do.
 */
export function finishConnecting(latchkey: Latchkey): void {
  const { signIn } = latchkey.settings
  if (getAccount(latchkey).status !== 'connected') return
  if (signIn !== undefined && !signIn.hasSession()) {
    openModal(latchkey, { entry: { view: 'SIWXSignMessage', params: {} } })
  } else if (!isInHistory(latchkey.modal.getState(), 'UnsupportedChain')) {
    dismissModal(latchkey)
  }
}
