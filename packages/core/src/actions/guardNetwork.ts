import type { Latchkey } from '../latchkey.ts'
import { isInHistory } from '../modal/modal.ts'
import { getAccount } from '../state/wallet.ts'
import { closeModal, openModal } from './navigation.ts'

/** Shows that the wallet is on a network the app does not offer, and goes away when it no longer is. */
export function guardNetwork(latchkey: Latchkey): void {
  const account = getAccount(latchkey)
  if (account.status !== 'connected') return
  const shown = isInHistory(latchkey.modal.getState(), 'UnsupportedChain')
  if (account.supported) {
    if (shown) closeModal(latchkey)
  } else if (!shown && latchkey.settings.enableNetworkSwitch) {
    openModal(latchkey, { entry: { view: 'UnsupportedChain', params: {} } })
  }
}
