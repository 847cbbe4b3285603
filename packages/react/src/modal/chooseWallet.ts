import { listWallets, type Latchkey, type WalletRow } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { pushView, requestedNamespace } from '@latchkey/modal'
import type { WalletListEntry } from '@latchkey/protocol'

/** Connects a wallet of the wallet list: with its extension if it is installed, otherwise on a phone. */
export function chooseWallet(latchkey: Latchkey, wallet: WalletListEntry): void {
  const { recent, injected, external } = listWallets(latchkey, { namespace: requestedNamespace(latchkey) })
  const installed = [...recent, ...injected, ...external].find(
    ({ rdns, connectorIds }) => connectorIds.length > 0 && rdns !== undefined && rdns === wallet.rdns,
  )
  if (installed === undefined) pushView(latchkey, { view: 'ConnectingWalletConnect', params: { wallet } })
  else chooseRow(latchkey, installed)
}

/** Connects a wallet of this page. Asks for the namespace first, unless the app connects all namespaces. */
export function chooseRow(latchkey: Latchkey, row: WalletRow): void {
  const { connectorIds, namespaces, listed, id, name } = row
  const [connectorId, ...others] = connectorIds
  if (connectorId === undefined) {
    const wallet = listed ?? { id, name, image_id: '', chains: [] }
    return pushView(latchkey, { view: 'ConnectingWalletConnect', params: { wallet } })
  }
  if (namespaces.length > 1 && !internalsOf(latchkey).settings.connectAllNamespaces) {
    return pushView(latchkey, { view: 'ConnectingMultiChain', params: { connectorIds } })
  }
  const [only, ...more] = namespaces
  const namespace = more.length === 0 ? only : undefined
  pushView(latchkey, { view: 'ConnectingExternal', params: { connectorId, namespace, others } })
}
