import { systemClock } from '@latchkey/core'
import { LatchkeyError, parseChainId, type ChainId } from '@latchkey/protocol'
import { createDapp, type DappOptions } from '../dapp.ts'
import { walletConnectError } from '../errors.ts'
import { proposedNamespaces, type SessionNamespaces } from '../grants.ts'
import { inBackground } from '../promise.ts'
import type { Session } from '../session.ts'
import { readAsked, type AskedNamespaces } from './asked.ts'
import { createEmitter, type Emitter } from './emitter.ts'
import { addressOf, spokenChain, type NamespaceEvents, type NamespaceProvider } from './namespaceProvider.ts'
import { createRpc, type RpcOptions, type RpcRequest } from './rpc.ts'
import { createSessionParts, type SessionParts } from './sessionParts.ts'

export type UniversalProviderOptions = DappOptions & RpcOptions

/** What happens to a session. Accounts and chain are those of the namespace that answers when a request names no chain. */
export type UniversalEvents = NamespaceEvents & {
  /** A pairing URI to show as QR code or link; another follows before it expires. */
  display_uri: string
  /** A wallet settled a session. */
  connect: { chainId: string }
  /** The session is over, whoever ended it. */
  disconnect: LatchkeyError
  session_update: { topic: string; params: { namespaces: SessionNamespaces } }
  session_event: { topic: string; params: { event: { name: string; data: unknown }; chainId: ChainId } }
  /** The wallet, another tab or the time ended the session. */
  session_delete: { topic: string }
}

export type UniversalConnectRequest = {
  /** What is asked for; everything that the app's `networks` need, by default. */
  namespaces?: AskedNamespaces
  /** More of it. Both are put to the wallet as optional. */
  optionalNamespaces?: AskedNamespaces
  /** Aborting gives up waiting. */
  signal?: AbortSignal
}

/**
 * One session with a wallet, for all chain families at once. Asked without a chain it speaks EIP-1193 for the first of
 * them, but with the errors of Latchkey; `toEip1193` has those of the standard.
 */
export type UniversalProvider = Emitter<UniversalEvents> & {
  /** The session as it is now; nothing before `connect` and after the end. */
  readonly session: Session | undefined
  /** What the session has for each namespace that the wallet granted. */
  readonly namespaces: { readonly [namespace: string]: NamespaceProvider }
  /**
   * Asks a wallet for a session, which then takes the place of the present one. The link for the wallet is told by
   * `display_uri`.
   *
   * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `connection/timed-out`, `session/invalid`,
   * `config/invalid`, `relay/refused`, `relay/unreachable`, `client/closed`.
   * @example
   * provider.on('display_uri', showQrCode)
   * await provider.connect({ namespaces: { eip155: { chains: ['eip155:1'] } } })
   */
  connect(request?: UniversalConnectRequest): Promise<Session>
  /** The addresses of the session, which is asked for where there is none. @throws LatchkeyError what `connect` throws. */
  enable(): Promise<readonly string[]>
  /**
   * Asks the wallet, or a node where the method only reads (EIP-1193, CAIP-27).
   *
   * @param chainId the chain that is meant (CAIP-2); by default the current one of the namespace that was asked for first
   * @param expiry how long the wallet may take, in seconds
   * @throws LatchkeyError `connection/not-connected`, `namespace/not-configured`, `client/closed`, and what
   * {@link NamespaceProvider} throws.
   * @example
   * await provider.request({ method: 'personal_sign', params: ['0x68690a', address] })
   * await provider.request({ method: 'eth_getBalance', params: [address, 'latest'] }, 'eip155:10')
   */
  request(request: RpcRequest, chainId?: ChainId, expiry?: number): Promise<unknown>
  /**
   * Makes an approved chain the current one of its namespace, without a word to the wallet: each request names its chain.
   *
   * @param rpcUrl where the chain is read from now on
   * @throws LatchkeyError `connection/not-connected`, `namespace/not-configured`, `network/unsupported`, `config/invalid`.
   */
  setDefaultChain(chainId: ChainId, rpcUrl?: string): void
  /** Ends the session here at once and tells the wallet. */
  disconnect(): Promise<void>
  /** Ends all listening; the session stays for the next page. Whatever is asked afterwards throws `client/closed`. */
  close(): void
}

/** Makes the provider and takes up the session of an earlier page, if that still stands. */
export function makeUniversalProvider(options: UniversalProviderOptions): UniversalProvider {
  const rpc = createRpc(options, options.clock ?? systemClock)
  const dapp = createDapp(options)
  const { emit, ...events } = createEmitter<UniversalEvents>()
  const closed = new AbortController()
  let parts: SessionParts | undefined

  function adopt(session: Session): void {
    parts?.end()
    parts = createSessionParts(dapp, rpc, session, {
      accountsChanged: (addresses) => emit('accountsChanged', addresses),
      chainChanged: (chain) => emit('chainChanged', chain),
      updated: ({ topic, namespaces }) => emit('session_update', { topic, params: { namespaces } }),
      event: ({ chainId, ...event }) => emit('session_event', { topic: session.topic, params: { event, chainId } }),
      ended() {
        parts = undefined
        emit('session_delete', { topic: session.topic })
        emit('disconnect', walletConnectError('session/ended', { wallet: session.peer.name }))
      },
    })
  }

  function standing(): SessionParts {
    if (closed.signal.aborted) throw walletConnectError('client/closed', {})
    if (parts === undefined) throw new LatchkeyError('connection/not-connected', {})
    return parts
  }

  function partFor(chainId: ChainId): NamespaceProvider {
    const { namespace } = parseChainId(chainId)
    const part = standing().all()[namespace]
    if (part === undefined) throw walletConnectError('namespace/not-configured', { namespace })
    return part
  }

  async function connect(request: UniversalConnectRequest = {}): Promise<Session> {
    if (closed.signal.aborted) throw walletConnectError('client/closed', {})
    const { namespaces = proposedNamespaces(options.networks ?? []), optionalNamespaces, signal } = request
    const session = await dapp.connect({
      namespaces: readAsked(namespaces, optionalNamespaces),
      signal: AbortSignal.any([closed.signal, ...(signal === undefined ? [] : [signal])]),
      onUri: (uri) => emit('display_uri', uri),
    })
    adopt(session)
    for (const { topic } of dapp.restore()) if (topic !== session.topic) inBackground(dapp.disconnect(topic))
    emit('connect', { chainId: spokenChain(standing().first().chainId) })
    return session
  }

  const earlier = dapp.restore().at(-1)
  if (earlier !== undefined) adopt(earlier)

  return {
    ...events,
    get session() {
      return parts?.session()
    },
    get namespaces() {
      return parts?.all() ?? {}
    },
    connect,
    async enable() {
      if (parts === undefined) await connect()
      return standing().first().accounts.map(addressOf)
    },
    async request(request, chainId, expiry) {
      const part = chainId === undefined ? standing().first() : partFor(chainId)
      return part.request(request, chainId, expiry)
    },
    setDefaultChain(chainId, rpcUrl) {
      const part = partFor(chainId)
      if (rpcUrl !== undefined) rpc.prefer(chainId, rpcUrl)
      part.setDefaultChain(chainId)
    },
    async disconnect() {
      const { topic } = parts?.session() ?? {}
      if (topic === undefined) return
      parts?.end()
      parts = undefined
      const told = dapp.disconnect(topic)
      emit('disconnect', new LatchkeyError('connection/not-connected', {}))
      await told
    },
    close() {
      closed.abort()
      parts?.end()
      parts = undefined
      dapp.close()
    },
  }
}
