import { systemClock } from '@latchkey/core'
import { parseChainId, type ChainId, connectionError } from '@latchkey/protocol'
import { createDapp } from '../dapp/createDapp.ts'
import type { Dapp } from '../dapp/dapp.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import type { Session } from '../session/session.ts'
import { proposeNamespaces } from '../session/sessionNamespaces.ts'
import { walletConnectError } from '../walletConnectError.ts'
import { providerError } from './providerError.ts'
import { createEmitter, type Emit } from './emitter.ts'
import { addressOfAccount, formatEventChainId, type NamespaceProvider } from './namespaceProvider.ts'
import { parseRequestedNamespaces } from './requestedNamespaces.ts'
import { createRpcClient, type RpcClient } from './rpcClient.ts'
import { createSessionProviders, type SessionProviders } from './sessionProviders.ts'
import type {
  UniversalConnectRequest,
  UniversalEvents,
  UniversalProvider,
  UniversalProviderOptions,
} from './universalProvider.ts'

/** Creates the provider and restores the session of an earlier page. */
export function createLoadedProvider(options: UniversalProviderOptions): UniversalProvider {
  const rpc = createRpcClient(options, options.clock ?? systemClock)
  const dapp = createDapp(options)
  const { emit, ...events } = createEmitter<UniversalEvents>()
  const closed = new AbortController()
  const current = createCurrentSession({ dapp, rpc, emit, closed: closed.signal })

  async function connect(request: UniversalConnectRequest = {}): Promise<Session> {
    if (closed.signal.aborted) throw providerError('client/closed', {})
    const { namespaces = proposeNamespaces(options.networks ?? []), optionalNamespaces, signal } = request
    const session = await dapp.connect({
      namespaces: parseRequestedNamespaces(namespaces, optionalNamespaces),
      signal: AbortSignal.any([closed.signal, ...(signal === undefined ? [] : [signal])]),
      onUri: (uri) => emit('display_uri', uri),
    })
    current.set(session)
    for (const { topic } of dapp.restore()) if (topic !== session.topic) runInBackground(dapp.disconnect(topic))
    emit('connect', { chainId: formatEventChainId(current.assert().first().chainId) })
    return session
  }

  const restored = dapp.restore().at(-1)
  if (restored !== undefined) current.set(restored)

  return {
    ...events,
    get session() {
      return current.find()?.session()
    },
    get namespaces() {
      return current.find()?.all() ?? {}
    },
    connect,
    async enable() {
      if (current.find() === undefined) await connect()
      return current.assert().first().accounts.map(addressOfAccount)
    },
    async request(request, chainId, expiry) {
      const provider = chainId === undefined ? current.assert().first() : current.providerFor(chainId)
      return provider.request(request, chainId, expiry)
    },
    setDefaultChain(chainId, rpcUrl) {
      const provider = current.providerFor(chainId)
      if (rpcUrl !== undefined) rpc.prefer(chainId, rpcUrl)
      provider.setDefaultChain(chainId)
    },
    disconnect: () => disconnectCurrent(dapp, current, emit),
    close() {
      closed.abort()
      current.end()
      dapp.close()
    },
  }
}

type CurrentSessionDependencies = {
  dapp: Dapp
  rpc: RpcClient
  emit: Emit<UniversalEvents>
  /** Aborted when the provider is closed. */
  closed: AbortSignal
}

/** The session that the provider uses, with the providers of its namespaces. */
type CurrentSession = {
  find(): SessionProviders | undefined
  /** @throws LatchkeyError `client/closed`, `connection/not-connected` */
  assert(): SessionProviders
  /** @throws LatchkeyError `namespace/not-configured`, and the errors of `assert` */
  providerFor(chainId: ChainId): NamespaceProvider
  /** Replaces the session. */
  set(session: Session): void
  /** Stops following the session. */
  end(): void
}

function createCurrentSession({ dapp, rpc, emit, closed }: CurrentSessionDependencies): CurrentSession {
  let providers: SessionProviders | undefined

  function assert(): SessionProviders {
    if (closed.aborted) throw providerError('client/closed', {})
    if (providers === undefined) throw connectionError('connection/not-connected', {})
    return providers
  }

  return {
    find: () => providers,
    assert,
    providerFor(chainId) {
      const { namespace } = parseChainId(chainId)
      const provider = assert().all()[namespace]
      if (provider === undefined) throw providerError('namespace/not-configured', { namespace })
      return provider
    },
    set(session) {
      providers?.end()
      providers = createSessionProviders(dapp, rpc, session, {
        accountsChanged: (addresses) => emit('accountsChanged', addresses),
        chainChanged: (chain) => emit('chainChanged', chain),
        updated: ({ topic, namespaces }) => emit('session_update', { topic, params: { namespaces } }),
        event: ({ chainId, ...event }) => emit('session_event', { topic: session.topic, params: { event, chainId } }),
        ended() {
          providers = undefined
          emit('session_delete', { topic: session.topic })
          emit('disconnect', walletConnectError('session/ended', { wallet: session.peer.name }))
        },
      })
    },
    end() {
      providers?.end()
      providers = undefined
    },
  }
}

async function disconnectCurrent(dapp: Dapp, current: CurrentSession, emit: Emit<UniversalEvents>): Promise<void> {
  const { topic } = current.find()?.session() ?? {}
  if (topic === undefined) return
  current.end()
  const disconnected = dapp.disconnect(topic)
  emit('disconnect', connectionError('connection/not-connected', {}))
  await disconnected
}
