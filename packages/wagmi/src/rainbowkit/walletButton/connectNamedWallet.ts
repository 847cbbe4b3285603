import { connect, type Connector, type Latchkey } from '@latchkey/core'
import { modalOf, openModal, type ViewEntry } from '@latchkey/modal'
import { connectWithModal } from '../../connectWithModal.ts'

/** Returns the connector of a wallet for eip155, if it is in the page. */
export function findConnector(connectors: readonly Connector[], wallet: string): Connector | undefined {
  return connectors.find(({ id, rdns, name, namespaces }) => {
    const isNamed = id === wallet || rdns === wallet || name.toLowerCase() === wallet.toLowerCase()
    return isNamed && namespaces.includes('eip155')
  })
}

/**
 * Connects one wallet: at once if it is in the page, otherwise through the modal.
 *
 * @throws LatchkeyError as `connect` does; `connection/aborted` if the user closes the modal
 */
export async function connectNamedWallet(latchkey: Latchkey, wallet: string): Promise<void> {
  const connector = findConnector(latchkey.connectors.getState(), wallet)
  if (connector !== undefined && connector.type !== 'walletConnect') {
    await connect(latchkey, connector.id, { namespaces: ['eip155'] })
    return
  }
  const entry: ViewEntry | undefined =
    connector === undefined ? undefined : { view: 'ConnectingWalletConnectBasic', params: {} }
  await connectWithModal(latchkey, {
    isRendered: () => modalOf(latchkey).tasks.attachments > 0,
    open: () => openModal(latchkey, { namespace: 'eip155', entry }),
  })
}
