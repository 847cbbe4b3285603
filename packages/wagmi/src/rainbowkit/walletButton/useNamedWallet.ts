import { connect, type Connector } from '@latchkey/core'
import { modalOf, openModal, type ViewEntry } from '@latchkey/modal'
import { useLatchkey } from '@latchkey/react'
import { useSyncExternalStore } from 'react'
import { connectWithModal } from '../../connectWithModal.ts'

/**
 * Returns the connector of a wallet, if it is in the page, and a function that connects the wallet: at once if it is in the
 * page, otherwise through the modal.
 *
 * @returns `connect` rejects as that of `@latchkey/core` does, and with `connection/aborted` if the user closes the modal
 */
export function useNamedWallet(wallet: string): { connector: Connector | undefined; connect(): Promise<void> } {
  const latchkey = useLatchkey()
  const { subscribe, getState, getInitialState } = latchkey.connectors
  const connector = findConnector(useSyncExternalStore(subscribe, getState, getInitialState), wallet)
  return {
    connector,
    async connect() {
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
    },
  }
}

function findConnector(connectors: readonly Connector[], wallet: string): Connector | undefined {
  return connectors.find(({ id, rdns, name, namespaces }) => {
    const isNamed = id === wallet || rdns === wallet || name.toLowerCase() === wallet.toLowerCase()
    return isNamed && namespaces.includes('eip155')
  })
}
