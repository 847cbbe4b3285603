import { getAccount, type Latchkey, type LatchkeyEvent } from '@latchkey/core'
import { connectedWallet } from '@latchkey/core/internal'
import type { Namespace } from '@latchkey/protocol'
import { leaveAccountViews, markNamespaceSwitch, welcomeBack } from '../navigation/openModal.ts'
import { showAlert } from '../notices/alerts.ts'
import { showToast } from '../notices/showToast.ts'
import { showLoginScreen } from './showLoginScreen.ts'
import { hideSignIn, reportSessionFailure, reportSignInFailure, showSignIn } from './showSignIn.ts'
import { warnAboutNetwork } from './warnAboutNetwork.ts'

/** Turns an event of an instance into views and notices. */
export function handleEvent(latchkey: Latchkey, event: LatchkeyEvent): void {
  switch (event.type) {
    case 'connect':
      markNamespaceSwitch(latchkey, false)
      if (event.restored && getAccount(latchkey).status === 'connected') welcomeBack(latchkey)
      return
    case 'disconnect':
      if (event.reason === 'locked') showLocked(latchkey)
      return leaveAccountViews(latchkey)
    case 'wallet-left':
      return leaveAccountViews(latchkey)
    case 'namespace-change':
      return markNamespaceSwitch(latchkey, !isConnectedIn(latchkey, event.namespace))
    case 'network-supported':
    case 'network-unsupported':
      return warnAboutNetwork(latchkey)
    case 'sign-in-required':
      return showSignIn(latchkey)
    case 'sign-in':
      return hideSignIn(latchkey)
    case 'sign-in-error':
      return event.during === 'signing' ? reportSignInFailure(latchkey, event.code) : reportSessionFailure(latchkey)
    case 'login-screen':
      return showLoginScreen(latchkey, event.connectorId, event.isWanted)
    case 'login-not-allowed':
      return showToast(latchkey, 'Action not allowed', { variant: 'error', notice: 'actionNotAllowed' })
    case 'problem':
      return showAlert(latchkey, event.code)
    default:
  }
}

/** Says why the account is gone. The connection returns by itself. */
function showLocked(latchkey: Latchkey): void {
  showToast(latchkey, 'Your wallet is locked. Unlock it to reconnect.', { variant: 'error', notice: 'walletLocked' })
}

function isConnectedIn({ wallet }: Pick<Latchkey, 'wallet'>, namespace: Namespace): boolean {
  return connectedWallet(wallet.getState().namespaces[namespace]) !== undefined
}
