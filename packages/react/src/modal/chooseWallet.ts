import { listWallets, pushView, type Latchkey, type WalletRow } from '@latchkey/core'
import type { WalletListEntry } from '@latchkey/protocol'

/** Goes on with a wallet of the list: in this browser when its extension is here, else on a phone. */
export function chooseWallet(latchkey: Latchkey, wallet: WalletListEntry): void {
  const { recent, injected, external } = listWallets(latchkey)
  const installed = [...recent, ...injected, ...external].find(
    ({ rdns, connectorIds }) => connectorIds.length > 0 && rdns !== undefined && rdns === wallet.rdns,
  )
  if (installed === undefined) pushView(latchkey, { view: 'ConnectingWalletConnect', params: { wallet } })
  else chooseRow(latchkey, installed)
}

/** Goes on with a wallet of this page, after asking in which of its namespaces unless the app wants all of them. */
export function chooseRow(latchkey: Latchkey, row: WalletRow): void {
  const { connectorIds, namespaces, listed, id, name } = row
  const [connectorId, ...others] = connectorIds
  if (connectorId === undefined) {
    const wallet = listed ?? { id, name, image_id: '', chains: [] }
    return pushView(latchkey, { view: 'ConnectingWalletConnect', params: { wallet } })
  }
  if (namespaces.length > 1 && !latchkey.settings.connectAllNamespaces) {
    return pushView(latchkey, { view: 'ConnectingMultiChain', params: { connectorIds } })
  }
  const [only, ...more] = namespaces
  const namespace = more.length === 0 ? only : undefined
  pushView(latchkey, { view: 'ConnectingExternal', params: { connectorId, namespace, others } })
}
