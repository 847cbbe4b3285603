import type { Connection, ConnectRequest, Reachability } from '@latchkey/core'
import { namespaces, connectionError } from '@latchkey/protocol'
import { createDapp } from '../dapp/createDapp.ts'
import type { Dapp, DappOptions } from '../dapp/dapp.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import { relayOrigin } from '../relay/relay.ts'
import { usesEip1193 } from '../session/namespaceScopes.ts'
import type { Session } from '../session/session.ts'
import type { createNativeNamespace } from './nativeNamespace.ts'
import { reportReach } from './reportReach.ts'
import { createSessionConnection, type SessionConnection } from './sessionConnection.ts'

/** The lazily loaded part of the connector. */
export type ConnectorClient = {
  connect(request: ConnectRequest): Promise<readonly [Connection, ...Connection[]]>
  restore(request: Omit<ConnectRequest, 'onUri'>): Promise<readonly Connection[]>
  resume(request: Pick<ConnectRequest, 'networks'>): Promise<readonly Connection[]>
  disconnect(): Promise<void>
}

type Networks = ConnectRequest['networks']
type CreateNative = typeof createNativeNamespace | undefined

/** Creates a connector client, which holds one session at a time. */
export function createConnectorClient(options: DappOptions, onReach: (reach: Reachability) => void): ConnectorClient {
  const dapp = createDapp(options)
  const connections = createSessionConnections(dapp)
  /** Ends the wait for the wallet of an earlier page when a new session is approved. */
  const resumption = new AbortController()
  let resuming: Promise<Session | undefined> | undefined
  reportReach(dapp, relayOrigin(options.relayUrl), onReach)

  return {
    async connect(request) {
      const { networks, signal, onUri, signIn } = request
      const createNative = await loadNativeSupport(networks)
      const oneClick = signIn && (await import('../signIn/dapp/index.ts')).createOneClickSignIn(signIn, request)
      const session = await dapp.connect({ networks, signal, onUri, ...oneClick?.proposed })
      const created = connections.create(session, networks, createNative)
      const [first, ...others] = created
      if (first === undefined) {
        runInBackground(dapp.disconnect(session.topic))
        throw connectionError('session/invalid', { reason: 'it has no account on any network of this app' })
      }
      resumption.abort()
      connections.replace(session, created)
      oneClick?.report()
      return [first, ...others]
    },
    async restore({ networks, signal }) {
      const createNative = await loadNativeSupport(networks)
      if (signal.aborted) throw connectionError('connection/aborted', {})
      const session = dapp.restore().at(-1)
      return session === undefined ? [] : connections.restore(session, networks, createNative)
    },
    async resume({ networks }) {
      const createNative = await loadNativeSupport(networks)
      resuming ??= dapp.resume(resumption.signal)
      const session = await resuming
      if (session === undefined) return []
      const created = connections.create(session, networks, createNative)
      connections.replace(session, created)
      return created
    },
    async disconnect() {
      connections.clear()
      await Promise.all(dapp.restore().map(({ topic }) => dapp.disconnect(topic)))
    },
  }
}

/** The connections of the current session. */
type SessionConnections = {
  /** Creates the connections of a session. Returns the current ones if nothing has changed. */
  create(session: Session, networks: Networks, createNative: CreateNative): readonly SessionConnection[]
  /** Makes the connections of a restored session the current ones. */
  restore(session: Session, networks: Networks, createNative: CreateNative): readonly SessionConnection[]
  /** Makes the connections of a new session the current ones, and ends all other sessions. */
  replace(session: Session, next: readonly SessionConnection[]): void
  clear(): void
}

function createSessionConnections(dapp: Dapp): SessionConnections {
  let current: readonly SessionConnection[] = []
  /** The session and networks of the current connections. */
  let currentKey = ''

  function create(session: Session, networks: Networks, createNative: CreateNative) {
    const previousKey = currentKey
    const chains = networks.map(({ caipNetworkId }) => caipNetworkId)
    currentKey = JSON.stringify([session.topic, Object.keys(session.namespaces), chains])
    // A page that restores twice must not subscribe twice.
    if (currentKey === previousKey && current.every(({ hasEnded }) => !hasEnded)) return current
    return namespaces.flatMap((namespace) => {
      const offered = networks.filter(({ chainNamespace }) => chainNamespace === namespace)
      if (offered.length === 0) return []
      return createSessionConnection({ dapp, session, namespace, networks: offered, createNative }) ?? []
    })
  }

  return {
    create,
    restore(session, networks, createNative) {
      current = create(session, networks, createNative)
      return current
    },
    replace(session, next) {
      // Reports the namespaces that the new session no longer approves.
      for (const old of current) if (!next.some(({ namespace }) => namespace === old.namespace)) old.end()
      current = next
      for (const { topic } of dapp.restore()) if (topic !== session.topic) runInBackground(dapp.disconnect(topic))
    },
    clear() {
      current = []
    },
  }
}

/**
 * Loads what namespaces without EIP-1193 need: before connecting, so that no event of the wallet is lost in the meantime.
 */
async function loadNativeSupport(networks: Networks): Promise<CreateNative> {
  if (networks.every(({ chainNamespace }) => usesEip1193(chainNamespace))) return undefined
  return (await import('./nativeNamespace.ts')).createNativeNamespace
}
