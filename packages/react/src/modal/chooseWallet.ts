import { pushView, type Latchkey } from '@latchkey/core'
import type { WalletListEntry } from '@latchkey/protocol'

/** Goes on with a wallet of the list: in this browser when its extension is here, else on a phone. */
export function chooseWallet(latchkey: Latchkey, wallet: WalletListEntry): void {
  const { rdns } = wallet
  const installed = latchkey.connectors.getState().find((connector) => rdns !== undefined && connector.rdns === rdns)
  if (installed === undefined) pushView(latchkey, { view: 'ConnectingWalletConnect', params: { wallet } })
  else pushView(latchkey, { view: 'ConnectingExternal', params: { connectorId: installed.id } })
}
