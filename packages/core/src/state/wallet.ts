import {
  LatchkeyError,
  parseAccountId,
  type AccountId,
  type ChainId,
  type Namespace,
  type Network,
} from '@latchkey/protocol'
import type { Adapter } from '../adapter.ts'
import type { AccountType, EndReason } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import type { ConnectionState } from './connections.ts'

/** Where a namespace stands. */
export function stateOf(latchkey: Latchkey, namespace: Namespace): ConnectionState {
  return latchkey.wallet.getState().namespaces[namespace] ?? { status: 'disconnected' }
}

/**
 * The adapter of a namespace.
 *
 * @throws LatchkeyError `adapter/not-found`.
 */
export function adapterOf(latchkey: Latchkey, namespace: string | undefined): Adapter {
  const adapter = latchkey.adapters.find((candidate) => candidate.namespace === namespace)
  if (adapter === undefined) throw new LatchkeyError('adapter/not-found', { namespace: namespace ?? 'none' })
  return adapter
}

/** The configured network with an id. */
export function findNetwork(latchkey: Latchkey, chainId: ChainId): Network | undefined {
  return latchkey.networks.find((network) => network.caipNetworkId === chainId)
}

/** What an app and its visitor want to know of a namespace. */
export type AccountState = {
  /** The network that reading and sending go to; undefined without any adapter. */
  network: Network | undefined
} &
  /** With a reason when a connection ended by itself, or could not be taken up again. */
  (
    | { status: 'disconnected'; reason?: EndReason }
    | { status: 'connecting'; connectorId: string }
    | { status: 'reconnecting'; connectorId: string; account: AccountId; address: string }
    | {
        status: 'connected'
        connectorId: string
        account: AccountId
        address: string
        /** What kind of account it is, and its key, as far as the wallet says. */
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
 * The account and network of a namespace, of the active one when left out, made anew from the state on each call.
 *
 * @throws LatchkeyError `adapter/not-found` for a namespace that has none.
 * @example if (getAccount(latchkey).status === 'connected') …
 */
export function getAccount(latchkey: Latchkey, namespace?: Namespace): AccountState {
  const { active, chosen } = latchkey.wallet.getState()
  const about = namespace ?? active
  if (about === undefined) return { status: 'disconnected', network: undefined }
  const adapter = adapterOf(latchkey, about)
  const preferred = chosen[about]
  const network =
    (preferred === undefined ? undefined : findNetwork(latchkey, preferred)) ??
    adapter.networks.find((candidate) => candidate === latchkey.settings.defaultNetwork) ??
    adapter.networks[0]
  const state = stateOf(latchkey, about)
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
        supported: configured !== undefined || latchkey.settings.unsupportedNetworks === 'ignore',
        wallet: connection.wallet,
      }
    }
  }
}
