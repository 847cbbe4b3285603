import {
  parseAccountId,
  type AccountId,
  type ChainId,
  type Namespace,
  type Network,
  configError,
} from '@latchkey/protocol'
import type { Adapter } from '../contracts/adapter.ts'
import type { AccountType, EndReason } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import type { ConnectionState } from './connectionState.ts'

/** Returns the state of a namespace. */
export function connectionStateOf(latchkey: Pick<Latchkey, 'wallet'>, namespace: Namespace): ConnectionState {
  return latchkey.wallet.getState().namespaces[namespace] ?? { status: 'disconnected' }
}

/**
 * Returns the adapter of a namespace.
 *
 * @throws LatchkeyError `adapter/not-found`.
 */
export function getAdapter(latchkey: Pick<Latchkey, 'adapters'>, namespace: string | undefined): Adapter {
  const adapter = latchkey.adapters.find((candidate) => candidate.namespace === namespace)
  if (adapter === undefined) throw configError('adapter/not-found', { namespace: namespace ?? 'none' })
  return adapter
}

/** Returns the configured network with an id. */
export function findNetwork(latchkey: Pick<Latchkey, 'networks'>, chainId: ChainId): Network | undefined {
  return latchkey.networks.find((network) => network.caipNetworkId === chainId)
}

/** The account and network of a namespace. */
export type AccountState = {
  /** The network for reads and transactions; undefined without an adapter. */
  network: Network | undefined
} &
  /** Has a reason if a connection ended by itself or could not be restored. */
  (
    | { status: 'disconnected'; reason?: EndReason }
    | { status: 'connecting'; connectorId: string }
    | { status: 'reconnecting'; connectorId: string; account: AccountId; address: string }
    | {
        status: 'connected'
        connectorId: string
        account: AccountId
        address: string
        /** The kind of the account and its key, if the wallet reports them. */
        type?: AccountType
        publicKey?: string
        path?: string
        network: Network
        /** False while the wallet is on a network that the app did not configure. */
        supported: boolean
        wallet: { name: string; icon?: string }
      }
  )

/**
 * Returns the account and network of a namespace. Each call creates a new value from the state.
 *
 * @param namespace the active namespace if omitted
 * @throws LatchkeyError `adapter/not-found` if no adapter handles the namespace
 * @example if (getAccount(latchkey).status === 'connected') show('connected')
 */
export function getAccount(latchkey: Latchkey, namespace?: Namespace): AccountState {
  return accountStateOf(latchkey, namespace)
}

/** Implements `getAccount` on the fields of an instance that it needs. */
export function accountStateOf(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>,
  namespace?: Namespace,
): AccountState {
  const { active, chosen } = latchkey.wallet.getState()
  const about = namespace ?? active
  if (about === undefined) return { status: 'disconnected', network: undefined }
  const adapter = getAdapter(latchkey, about)
  const preferred = chosen[about]
  const network =
    (preferred === undefined ? undefined : findNetwork(latchkey, preferred)) ??
    adapter.networks.find((candidate) => candidate === latchkey.internal.settings.defaultNetwork) ??
    adapter.networks[0]
  const state = connectionStateOf(latchkey, about)
  switch (state.status) {
    case 'disconnected':
      return { ...state, network }
    case 'connecting':
      return { status: 'connecting', connectorId: state.connectorId, network }
    case 'reconnecting': {
      const { address } = parseAccountId(state.account)
      return {
        status: 'reconnecting',
        connectorId: state.connectorId,
        account: state.account,
        address,
        network: findNetwork(latchkey, state.chainId) ?? network,
      }
    }
    case 'connected': {
      const { connectorId, account, chainId, connection } = state
      const configured = findNetwork(latchkey, chainId)
      const { type, publicKey, path } = connection.details?.(account) ?? {}
      return {
        status: 'connected',
        connectorId,
        account,
        address: parseAccountId(account).address,
        type,
        publicKey,
        path,
        network: configured ?? adapter.unknownNetwork(chainId),
        supported: configured !== undefined || latchkey.internal.settings.unsupportedNetworks === 'ignore',
        wallet: connection.wallet,
      }
    }
  }
}
