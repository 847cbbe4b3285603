import {
  disconnect,
  getConnections,
  switchConnection,
  type Connector,
  type RecentWallet,
  type WalletConnection,
} from '@latchkey/core'
import { getRecentWallets, internalsOf } from '@latchkey/core/internal'
import type { Namespace } from '@latchkey/protocol'
import type { AppKitContext } from './appKitContext.ts'

export type ConnectionMethods = {
  /**
   * Disconnects the wallets of a namespace, or all. The app is disconnected whatever a wallet responds.
   *
   * @throws LatchkeyError `disconnect/failed` if a wallet could not be notified
   */
  disconnect(namespace?: Namespace): Promise<void>
  /** Returns the wallets that can be connected. */
  getConnectors(namespace?: Namespace): readonly Connector[]
  getConnections(namespace?: Namespace): readonly WalletConnection[]
  /** Returns the wallets that were used last, the newest first. */
  getRecentConnections(): readonly RecentWallet[]
  /** Makes a connection the primary one of its namespace. */
  switchConnection(connection: Pick<WalletConnection, 'namespace' | 'connectorId'>): Promise<void>
  /** Disconnects one of several wallets. */
  deleteConnection(connection: Pick<WalletConnection, 'namespace' | 'connectorId'>): Promise<void>
  subscribeConnections(callback: (connections: readonly WalletConnection[]) => void): () => void
}

/** Creates the methods that change connections. */
export function createConnectionMethods({ latchkey }: AppKitContext): ConnectionMethods {
  return {
    disconnect: (namespace) => disconnect(latchkey, namespace),
    getConnectors: (namespace) =>
      latchkey.connectors
        .getState()
        .filter(({ namespaces }) => namespace === undefined || namespaces.includes(namespace)),
    getConnections: (namespace) => getConnections(latchkey, namespace),
    getRecentConnections: () => getRecentWallets(internalsOf(latchkey).memory),
    async switchConnection(connection) {
      await switchConnection(latchkey, connection)
    },
    deleteConnection: ({ namespace, connectorId }) => disconnect(latchkey, { namespace, connectorId }),
    subscribeConnections: (callback) => latchkey.wallet.subscribe(() => callback(getConnections(latchkey))),
  }
}
