import { getAccount, type Latchkey } from '@latchkey/core'
import { internalsOf, settleSignIn } from '@latchkey/core/internal'
import { modalOf } from '../modal.ts'
import { isInHistory } from '../navigation/modalState.ts'
import { dismissModal } from '../navigation/openModal.ts'

/**
 * Completes a connection that was made in the modal: asks the user to sign in if the app requires it, and closes the
 * modal otherwise. A request to change the network stays open.
 *
 * @example finishConnecting(latchkey)
 */
export function finishConnecting(latchkey: Latchkey): void {
  if (getAccount(latchkey).status !== 'connected') return
  if (internalsOf(latchkey).settings.signIn === undefined) return closeAfterConnecting(latchkey)
  void settleSignIn(latchkey).then(({ status }) => {
    if (status === 'signed') closeAfterConnecting(latchkey)
  })
}

function closeAfterConnecting(latchkey: Latchkey): void {
  const isWarningShown = isInHistory(modalOf(latchkey).state.getState(), 'UnsupportedChain')
  if (!isWarningShown && !mustChangeNetwork(latchkey)) dismissModal(latchkey)
}

/** True if the view that asks for another network is shown, or is about to be. */
function mustChangeNetwork(latchkey: Latchkey): boolean {
  const account = getAccount(latchkey)
  const { enableNetworkSwitch, unsupportedNetworks } = internalsOf(latchkey).settings
  const isUnsupported = account.status === 'connected' && !account.supported
  return isUnsupported && enableNetworkSwitch && unsupportedNetworks === 'require'
}
