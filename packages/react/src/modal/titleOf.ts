import type { Latchkey, ViewEntry } from '@latchkey/core'
import type { Strings } from '../strings/strings.ts'

/** What stands above a view: the wallet where it is about one, else the view's own title. */
export function titleOf(latchkey: Latchkey, strings: Strings, entry: ViewEntry): string {
  switch (entry.view) {
    case 'Account':
      return strings.account.title
    case 'AccountSettings':
      return strings.accountSettings.title
    case 'ProfileWallets':
      return strings.profileWallets.title
    case 'SwitchActiveChain':
      return strings.switchActiveChain.title
    case 'AllWallets':
      return strings.allWallets.title
    case 'ConnectingExternal': {
      const { connectorId } = entry.params
      const connector = latchkey.connectors.getState().find(({ id }) => id === connectorId)
      return connector?.name ?? strings.connecting.title
    }
    case 'ConnectingWalletConnect':
      return entry.params.wallet?.name ?? strings.pairing.title
    case 'ConnectingWalletConnectBasic':
      return strings.pairing.title
    case 'ConnectingMultiChain':
      return strings.multiChain.title
    case 'GetWallet':
      return strings.getWallet.title
    case 'Downloads':
      return strings.downloads.title(entry.params.wallet.name)
    case 'WhatIsAWallet':
      return strings.whatIsAWallet.title
    case 'WhatIsANetwork':
      return strings.whatIsANetwork.title
    case 'SIWXSignMessage':
    case 'ConnectingSiwe':
      return strings.signIn.title
    case 'Networks':
      return strings.networks.title
    case 'UnsupportedChain':
      return strings.unsupported.title
    default:
      return strings.connect.title
  }
}
