import { connect, getWallets, type Latchkey } from '@latchkey/core'
import { connectedWallet } from '@latchkey/core/internal'
import { modalOf, openModal, type ViewEntry } from '@latchkey/modal'
import { parseAccountId, type AccountId, type Namespace, connectionError } from '@latchkey/protocol'
import { toWalletId } from '../wallets/walletIds.ts'

/** The account that a wallet button connected. */
export type ConnectedWallet = { readonly address: string; readonly caipAddress: AccountId; readonly chainId: string }

/** The owner of an instance: an AppKit. */
type Owner = { readonly latchkey: Latchkey }

/**
 * Connects one wallet: at once if it is in the page, otherwise through the modal.
 *
 * @param id of a wallet button, `walletConnect`, `email`, a social login, or Latchkey's own
 * @throws LatchkeyError `connection/aborted` if the user closes the modal; the errors of `connect`
 */
export async function connectWalletById(
  { latchkey }: Owner,
  id: string,
  namespace?: Namespace,
): Promise<ConnectedWallet> {
  const wallet = toWalletId(id)
  const connector = latchkey.connectors.getState().find(({ id, rdns, name, namespaces }) => {
    const isMeant = [id, rdns].includes(wallet) || name.toLowerCase() === wallet.toLowerCase()
    return isMeant && (namespace === undefined || namespaces.includes(namespace))
  })
  if (connector !== undefined && connector.type !== 'walletConnect') {
    const namespaces = namespace === undefined ? undefined : [namespace]
    return toConnectedWallet(await connect(latchkey, connector.id, { namespaces }))
  }
  return connectInModal({ latchkey }, await chooseView({ latchkey }, wallet), namespace)
}

async function chooseView({ latchkey }: Owner, wallet: string): Promise<ViewEntry | undefined> {
  if (wallet === 'walletConnect') return { view: 'ConnectingWalletConnectBasic', params: {} }
  if (wallet === 'email') return { view: 'EmailLogin', params: {} }
  const query = wallet.includes('.') ? { rdns: wallet } : { search: wallet }
  const listed = await getWallets(latchkey, query).catch(() => undefined)
  const found = listed?.data.find(({ rdns, name }) => rdns === wallet || name.toLowerCase() === wallet.toLowerCase())
  return found === undefined ? undefined : { view: 'ConnectingWalletConnect', params: { wallet: found } }
}

/** Opens the modal and waits until a new wallet is connected. */
function connectInModal(
  { latchkey }: Owner,
  entry: ViewEntry | undefined,
  namespace: Namespace | undefined,
): Promise<ConnectedWallet> {
  return new Promise((resolve, reject) => {
    const stop = latchkey.events.subscribe((event) => {
      if (event.type === 'connect') {
        stop()
        resolve(toConnectedWallet(event.account))
      }
      if (event.type !== 'modal-close') return
      stop()
      const { active, namespaces } = latchkey.wallet.getState()
      const connected = active && connectedWallet(namespaces[namespace ?? active])
      if (connected === undefined) reject(connectionError('connection/aborted', {}))
      else resolve(toConnectedWallet(connected.account))
    })
    openModal(latchkey, { namespace, entry })
    if (!modalOf(latchkey).state.getState().open) stop()
  })
}

function toConnectedWallet(caipAddress: AccountId): ConnectedWallet {
  const { address, chainId } = parseAccountId(caipAddress)
  return { address, caipAddress, chainId }
}
