import type { Connection, EndReason, Provider } from '@latchkey/core'
import { createWalletProvider } from '@latchkey/core/internal'
import type { ChainId, Namespace, Network } from '@latchkey/protocol'
import type { Dapp } from '../dapp/dapp.ts'
import { usesEip1193 } from '../session/namespaceScopes.ts'
import type { Session } from '../session/session.ts'
import { listUsableChains, parseEventChainId } from '../session/sessionNamespaces.ts'
import { walletConnectError } from '../walletConnectError.ts'
import { createConnectionState, type ConnectionState } from './connectionState.ts'
import { createEvmProvider } from './createEvmProvider.ts'
import type { createNativeNamespace, NativeNamespace } from './nativeNamespace.ts'
import { selectAccounts, type ConnectionSelection } from './selection.ts'

/** The connection of a session to one namespace. Its owner can end it. */
export type SessionConnection = Connection & {
  /**
   * Sends a request to the wallet, on the current chain by default.
   *
   * @param expiry how long the wallet may take, in seconds
   * @throws LatchkeyError `network/unsupported` for a chain that the wallet did not approve, and the errors of its provider
   */
  request(request: { method: string; params?: unknown }, chainId?: ChainId, expiry?: number): Promise<unknown>
  /** Selects an approved chain. Returns false if the wallet has not approved it. */
  switchTo(chainId: ChainId): boolean
  /** Reports the end to the listeners, with the reason if it is known. */
  end(reason?: EndReason): void
  readonly hasEnded: boolean
}

export type SessionConnectionOptions = {
  dapp: Dapp
  session: Session
  namespace: Namespace
  /** The app's networks. The first approved one becomes the current chain, unless the session has a default chain. */
  networks: readonly Pick<Network, 'caipNetworkId'>[]
  /** Support for namespaces without EIP-1193. Without it, their requests pass unchanged. */
  createNative?: typeof createNativeNamespace
}

/**
 * Creates the connection of a session to one namespace.
 *
 * @returns `undefined` if the session has no account in the namespace
 */
export function createSessionConnection(options: SessionConnectionOptions): SessionConnection | undefined {
  const { dapp, session, namespace, networks } = options
  const { topic, peer, namespaces } = session
  const offered = networks.map(({ caipNetworkId }) => caipNetworkId)
  const initial = selectAccounts(namespaces[namespace], namespaces[namespace]?.defaultChain, undefined, offered)
  if (initial === undefined) return undefined
  const state = createConnectionState({
    initial,
    offered,
    onChainChanged: (chainId) => dapp.setDefaultChain(topic, chainId),
    onEnd: () => unsubscribe(),
  })
  const request = createRequest(dapp, { topic, peer }, state.get)
  const wallet: Provider = { request: (walletRequest) => request(walletRequest) }
  const native = createNativeSupport(options, state, wallet)
  const unsubscribe = followSession(options, state, native)
  const { provider, listen } = usesEip1193(namespace)
    ? createSessionEvmProvider(state, wallet)
    : { provider: native?.provider ?? wallet, listen: state.listen }

  return {
    namespace,
    get accounts() {
      return state.get().accounts
    },
    get chainId() {
      return state.get().chainId
    },
    get approvedChains() {
      return listUsableChains(state.get().scope)
    },
    get methods() {
      return state.get().scope.methods
    },
    provider,
    details: native?.details,
    request,
    switchTo: state.switchTo,
    wallet: { name: peer.name, icon: peer.icons.find((icon) => /^(https:|data:image\/)/.test(icon)) },
    listen,
    end: state.end,
    get hasEnded() {
      return state.hasEnded()
    },
  }
}

function createSessionEvmProvider(
  state: ConnectionState,
  wallet: Provider,
): Pick<SessionConnection, 'provider' | 'listen'> {
  const { request } = createEvmProvider({
    chainId: () => state.get().chainId,
    accounts: () => state.get().accounts,
    switchTo: state.switchTo,
    wallet,
  })
  return createWalletProvider({ ...state.get(), request, listen: state.listen })
}

function createNativeSupport(
  { namespace, session, createNative }: SessionConnectionOptions,
  state: ConnectionState,
  wallet: Provider,
): NativeNamespace | undefined {
  if (usesEip1193(namespace)) return undefined
  return createNative?.({
    namespace,
    properties: session.sessionProperties,
    accounts: () => state.get().accounts,
    select: state.selectAccount,
    notify: state.notifyAccounts,
    wallet,
  })
}

/** Applies the wallet's changes and events. Returns a function that stops it. */
function followSession(
  { dapp, session, namespace }: SessionConnectionOptions,
  state: ConnectionState,
  native: NativeNamespace | undefined,
): () => void {
  return dapp.listen(session.topic, {
    updated: ({ namespaces }) => state.update(namespaces[namespace]),
    event({ name, data, chainId }) {
      if (!chainId.startsWith(`${namespace}:`)) return
      if (name === 'accountsChanged') state.selectAccount(Array.isArray(data) ? data[0] : undefined)
      native?.handleEvent(name, data)
      const chain = name === 'chainChanged' ? parseEventChainId(data, namespace) : undefined
      if (chain !== undefined) state.switchTo(chain)
    },
    ended: state.end,
  })
}

/** Creates a function that sends requests to the wallet. */
function createRequest(
  dapp: Dapp,
  { topic, peer }: Pick<Session, 'topic' | 'peer'>,
  getSelection: () => ConnectionSelection,
): SessionConnection['request'] {
  return async ({ method, params = [] }, chainId = getSelection().chainId, expiry) => {
    if (dapp.session(topic) === undefined) throw walletConnectError('session/ended', { wallet: peer.name })
    return dapp.request({ topic, chainId, method, params, expiry })
  }
}
