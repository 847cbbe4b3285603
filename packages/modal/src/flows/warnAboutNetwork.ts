import { getAccount, type Latchkey } from '@latchkey/core'
import { defineFeature, getFeature, internalsOf } from '@latchkey/core/internal'
import { modalOf } from '../modal.ts'
import { isInHistory } from '../navigation/modalState.ts'
import { closeModal, openModal } from '../navigation/openModal.ts'
import { clearAlert, showAlert } from '../notices/alerts.ts'

const followingFeature = defineFeature(() => ({ hasBegun: false }))

/** Shows the view or the alert that the app configured for unsupported networks, and removes both on a supported one. */
export function warnAboutNetwork(latchkey: Latchkey): void {
  const account = getAccount(latchkey)
  if (account.status !== 'connected') return
  const { enableNetworkSwitch, unsupportedNetworks } = internalsOf(latchkey).settings
  const isShown = isInHistory(modalOf(latchkey).state.getState(), 'UnsupportedChain')
  if (account.supported) {
    if (isShown) closeModal(latchkey)
    clearAlert(latchkey, 'network-unsupported')
  } else if (unsupportedNetworks === 'inform') {
    showAlert(latchkey, 'network-unsupported')
    followAccount(latchkey)
  } else if (!isShown && enableNetworkSwitch) {
    openModal(latchkey, { entry: { view: 'UnsupportedChain', params: {} } })
  }
}

/** Shows the alert only while the active account is on an unsupported network. A dismissed alert stays dismissed until it is removed. */
function followAccount(latchkey: Latchkey): void {
  const following = getFeature(latchkey, followingFeature)
  if (following.hasBegun) return
  following.hasBegun = true
  latchkey.wallet.subscribe(() => {
    const account = getAccount(latchkey)
    if (account.status === 'connected' && !account.supported) showAlert(latchkey, 'network-unsupported')
    else clearAlert(latchkey, 'network-unsupported')
  })
}
