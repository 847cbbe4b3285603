import { LatchkeyError, type Namespace } from '@latchkey/protocol'
import { createConnection, type SessionConnection } from '../connection.ts'
import type { Dapp, SessionListener } from '../dapp.ts'
import type { Session } from '../session.ts'
import { createNamespaceProvider, type NamespaceEvents, type NamespaceProvider } from './namespaceProvider.ts'
import type { Rpc } from './rpc.ts'

/** What a session has for each namespace that it grants at the moment. */
export type SessionParts = {
  session(): Session | undefined
  all(): { readonly [namespace: string]: NamespaceProvider }
  /** The namespace that the app asked for first, of those granted. */
  first(): NamespaceProvider
  /** Stops following the session. */
  end(): void
}

/** What is told of a session; accounts and chain are those of its first namespace. */
export type SessionFollower = SessionListener & {
  [event in keyof NamespaceEvents]: (payload: NamespaceEvents[event]) => void
}

/** Makes the parts of a session, and keeps them as the wallet grants more and less. */
export function createSessionParts(dapp: Dapp, rpc: Rpc, settled: Session, follower: SessionFollower): SessionParts {
  const { topic, optionalNamespaces } = settled
  const parts = new Map<string, { connection: SessionConnection; provider: NamespaceProvider }>()
  const session = (): Session | undefined => dapp.session(topic)

  function first(): NamespaceProvider {
    const inOrder = [...Object.keys(optionalNamespaces), ...parts.keys()]
    const [part] = inOrder.flatMap((namespace) => parts.get(namespace) ?? [])
    if (part === undefined) throw new LatchkeyError('connection/not-connected', {})
    return part.provider
  }

  function add(standing: Session, namespace: string): void {
    const asked = optionalNamespaces[namespace]?.chains ?? []
    const networks = asked.map((caipNetworkId) => ({ caipNetworkId }))
    // Wallets may grant chain families that Latchkey does not know; a connection asks nothing of them but their name.
    const connection = createConnection(dapp, standing, namespace as Namespace, networks)
    if (connection === undefined) return
    const provider = createNamespaceProvider({ namespace, connection, rpc, session })
    const ifFirst =
      <payload>(tell: (payload: payload) => void) =>
      (payload: payload): void => {
        if (first() === provider) tell(payload)
      }
    provider.on('accountsChanged', ifFirst(follower.accountsChanged))
    provider.on('chainChanged', ifFirst(follower.chainChanged))
    parts.set(namespace, { connection, provider })
  }

  function match(standing: Session): void {
    for (const namespace of Object.keys(standing.namespaces)) if (!parts.has(namespace)) add(standing, namespace)
    for (const namespace of parts.keys()) if (standing.namespaces[namespace] === undefined) parts.delete(namespace)
  }

  match(settled)
  const stop = dapp.listen(topic, {
    ...follower,
    updated(standing) {
      match(standing)
      follower.updated(standing)
    },
  })

  return {
    session,
    first,
    all: () => Object.fromEntries([...parts].map(([namespace, { provider }]) => [namespace, provider])),
    end() {
      stop()
      for (const { connection } of parts.values()) connection.end()
    },
  }
}
