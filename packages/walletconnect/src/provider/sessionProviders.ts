import { type Namespace, connectionError } from '@latchkey/protocol'
import { createSessionConnection, type SessionConnection } from '../connector/sessionConnection.ts'
import type { Dapp, SessionListener } from '../dapp/dapp.ts'
import type { Session } from '../session/session.ts'
import { createNamespaceProvider, type NamespaceEvents, type NamespaceProvider } from './namespaceProvider.ts'
import type { RpcClient } from './rpcClient.ts'

/** The providers of a session, one per approved namespace. */
export type SessionProviders = {
  session(): Session | undefined
  all(): { readonly [namespace: string]: NamespaceProvider }
  /** The provider of the first requested namespace that the wallet approved. */
  first(): NamespaceProvider
  /** Ends all connections and subscriptions. */
  end(): void
}

/** Handles the events of a session. Accounts and chain are those of its first namespace. */
export type SessionProvidersListener = SessionListener & {
  [event in keyof NamespaceEvents]: (payload: NamespaceEvents[event]) => void
}

/** Creates the providers of a session, and updates them when the wallet changes the approved namespaces. */
export function createSessionProviders(
  dapp: Dapp,
  rpc: RpcClient,
  settled: Session,
  listener: SessionProvidersListener,
): SessionProviders {
  const { topic, optionalNamespaces } = settled
  const providers = new Map<string, { connection: SessionConnection; provider: NamespaceProvider }>()
  const session = (): Session | undefined => dapp.session(topic)

  function first(): NamespaceProvider {
    const inOrder = [...Object.keys(optionalNamespaces), ...providers.keys()]
    const [entry] = inOrder.flatMap((namespace) => providers.get(namespace) ?? [])
    if (entry === undefined) throw connectionError('connection/not-connected', {})
    return entry.provider
  }

  function add(current: Session, namespace: string): void {
    const proposedChains = optionalNamespaces[namespace]?.chains ?? []
    const networks = proposedChains.map((caipNetworkId) => ({ caipNetworkId }))
    // Wallets may approve namespaces that Latchkey does not know. A connection needs only their name.
    const connection = createSessionConnection({ dapp, session: current, namespace: namespace as Namespace, networks })
    if (connection === undefined) return
    const provider = createNamespaceProvider({ namespace, connection, rpc, session })
    const forwardIfFirst =
      <payload>(emit: (payload: payload) => void) =>
      (payload: payload): void => {
        if (first() === provider) emit(payload)
      }
    provider.on('accountsChanged', forwardIfFirst(listener.accountsChanged))
    provider.on('chainChanged', forwardIfFirst(listener.chainChanged))
    providers.set(namespace, { connection, provider })
  }

  function update(current: Session): void {
    for (const namespace of Object.keys(current.namespaces)) if (!providers.has(namespace)) add(current, namespace)
    for (const namespace of providers.keys())
      if (current.namespaces[namespace] === undefined) providers.delete(namespace)
  }

  update(settled)
  const unsubscribe = dapp.listen(topic, {
    ...listener,
    updated(current) {
      update(current)
      listener.updated(current)
    },
  })

  return {
    session,
    first,
    all: () => Object.fromEntries([...providers].map(([namespace, { provider }]) => [namespace, provider])),
    end() {
      unsubscribe()
      for (const { connection } of providers.values()) connection.end()
    },
  }
}
