import { pageStorage, type Connector, type Reachability, type Storage } from '@latchkey/core'
import { namespaces, type Namespace } from '@latchkey/protocol'
import type { ConnectorClient } from './connectorClient.ts'
import type { DappOptions } from '../dapp/dapp.ts'
import { createObservable } from '../primitives/observable.ts'

export type WalletConnectOptions = DappOptions & {
  /** The namespaces to propose. Defaults to all that Latchkey supports. */
  namespaces?: readonly Namespace[]
}

/**
 * Creates a connector to wallets on phones and in other windows: it shows a pairing URI and communicates through a relay,
 * by the WalletConnect v2 protocol. Cryptography loads, and the relay connects, when a user connects or a session is
 * restored.
 *
 * @param options the relay's URL, the project id at its operator, and the app's metadata
 * @returns a connector for `createLatchkey`
 * @example
 * createLatchkey({
 *   adapters,
 *   connectors: [walletConnect({ relayUrl: 'wss://relay.example.org/relay', projectId, metadata })],
 * })
 */
export function walletConnect(options: WalletConnectOptions): Connector {
  const reach = createObservable<Reachability>({ state: 'idle' })
  let loading: Promise<ConnectorClient> | undefined

  function load(): Promise<ConnectorClient> {
    loading ??= import('./connectorClient.ts').then(
      ({ createConnectorClient }) => createConnectorClient(options, reach.set),
      (error: unknown) => {
        // The next attempt may fetch the chunk.
        loading = undefined
        throw error
      },
    )
    return loading
  }

  return {
    id: 'walletConnect',
    name: 'WalletConnect',
    type: 'walletConnect',
    namespaces: options.namespaces ?? namespaces,
    reach,
    connect: async (request) => (await load()).connect(request),
    restore: async (request) => (await load()).restore(request),
    resume: (request) =>
      hasPendingProposal(options.storage) ? load().then((client) => client.resume(request)) : undefined,
    disconnect: async () => (await load()).disconnect(),
  }
}

/** True if an earlier page left a proposal. Loads no code. */
function hasPendingProposal(storage: Storage = pageStorage()): boolean {
  try {
    return storage.getItem('@latchkey/walletconnect/proposals') !== undefined
  } catch {
    return false
  }
}
