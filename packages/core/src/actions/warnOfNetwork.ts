import type { Latchkey } from '../latchkey.ts'
import { isInHistory } from '../modal/modal.ts'
import { addAlert } from '../state/notices.ts'
import { getAccount } from '../state/wallet.ts'
import { closeModal, openModal } from './navigation.ts'

/** A view that insists, a notice, or nothing, as the app wants it; gone when the wallet is on a network of the app. */
export function warnOfNetwork(latchkey: Latchkey): void {
  const account = getAccount(latchkey)
  if (account.status !== 'connected') return
  const { enableNetworkSwitch, unsupportedNetworks } = latchkey.settings
  const shown = isInHistory(latchkey.modal.getState(), 'UnsupportedChain')
  latchkey.running.warned = !account.supported
  if (account.supported) {
    if (shown) closeModal(latchkey)
    latchkey.alerts.setState((alerts) => alerts.filter(({ code }) => code !== 'network-unsupported'), true)
  } else if (unsupportedNetworks === 'inform') {
    addAlert(latchkey.alerts, 'network-unsupported')
  } else if (!shown && enableNetworkSwitch) {
    openModal(latchkey, { entry: { view: 'UnsupportedChain', params: {} } })
  }
}
