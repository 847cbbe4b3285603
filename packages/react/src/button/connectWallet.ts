import { connect, getConnections, getWallets, type Connector, type Latchkey } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { openModal } from '@latchkey/modal'
import { beginSocialLogin } from '../modal/login/social/beginSocialLogin.ts'
import { findLogin, socialsOf } from '../modal/login/loginConnector.ts'
import type { Namespace, WalletListEntry } from '@latchkey/protocol'

type WalletChoice = { wallet: string; connectors: readonly Connector[]; namespace: Namespace | undefined }

/**
 * Connects one wallet: at once if it is available in the page and no choice is needed, otherwise through the modal.
 *
 * @throws LatchkeyError as `connect` does.
 */
export async function connectWallet(
  latchkey: Latchkey,
  { wallet, connectors, namespace }: WalletChoice,
): Promise<void> {
  const [first] = connectors
  if (first === undefined && openLogin(latchkey, wallet, namespace)) return
  if (first === undefined) return openListed(latchkey, wallet, namespace)
  if (first.type === 'walletConnect') {
    return openModal(latchkey, { namespace, entry: { view: 'ConnectingWalletConnectBasic', params: {} } })
  }
  const offered = new Set(connectors.flatMap(({ namespaces }) => namespaces))
  const hasChoice = latchkey.adapters.filter((adapter) => offered.has(adapter.namespace)).length > 1
  if (namespace === undefined && hasChoice && !internalsOf(latchkey).settings.connectAllNamespaces) {
    const connectorIds = connectors.map(({ id }) => id)
    return openModal(latchkey, { entry: { view: 'ConnectingMultiChain', params: { connectorIds } } })
  }
  await connect(latchkey, first.id, namespace === undefined ? {} : { namespaces: [namespace] })
}

/** Opens a login method by name. Returns false if it is not available. */
function openLogin(latchkey: Latchkey, name: string, namespace: Namespace | undefined): boolean {
  const connector = findLogin(latchkey, namespace)
  if (connector === undefined) return false
  if (getConnections(latchkey).some(({ connectorId }) => connectorId === connector.id)) {
    openModal(latchkey, { namespace })
    return true
  }
  const { features } = internalsOf(latchkey).settings
  if (name === 'email' && features.email) {
    openModal(latchkey, { namespace, entry: { view: 'EmailLogin', params: {} } })
    return true
  }
  const social = socialsOf(latchkey, connector).find((each) => each === name)
  if (social === undefined) return false
  const entry = beginSocialLogin(latchkey, connector, social)
  openModal(latchkey, { namespace, entry })
  return true
}

/** Connects a listed wallet on a phone. Shows all wallets if the list doesn't contain it. */
async function openListed(latchkey: Latchkey, wallet: string, namespace: Namespace | undefined): Promise<void> {
  const listed = await findListed(latchkey, wallet).catch(() => undefined)
  if (listed === undefined) return openModal(latchkey, { namespace, entry: { view: 'Connect', params: { namespace } } })
  openModal(latchkey, { namespace, entry: { view: 'ConnectingWalletConnect', params: { wallet: listed } } })
}

async function findListed(latchkey: Latchkey, wallet: string): Promise<WalletListEntry | undefined> {
  const { customWallets, server } = internalsOf(latchkey).settings
  const custom = customWallets.find((entry) => isNamed(entry, wallet))
  if (custom !== undefined || server === undefined) return custom
  // A search finds names only. Some names contain a dot, too.
  const queries = wallet.includes('.') ? [{ rdns: wallet }, { search: wallet }] : [{ search: wallet }]
  for (const query of queries) {
    const { data } = await getWallets(latchkey, query)
    const found = data.find((entry) => isNamed(entry, wallet))
    if (found !== undefined) return found
  }
  return undefined
}

function isNamed({ id, rdns, name }: WalletListEntry, wallet: string): boolean {
  return id === wallet || rdns === wallet || name.toLowerCase() === wallet.toLowerCase()
}
