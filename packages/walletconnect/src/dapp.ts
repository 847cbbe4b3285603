import { classifyMethod, isLatchkeyError, LatchkeyError, type ChainId } from '@latchkey/protocol'
import type { PeerRequest } from './channel.ts'
import { connectSession, type ConnectParts } from './connect.ts'
import { isRefusal, peerErrors, type Method } from './messages.ts'
import { namespaceOf, readSessionNamespaces } from './namespaces.ts'
import { isRecord } from './parse.ts'
import { createPeer, type PeerOptions } from './peer.ts'
import { inBackground } from './promise.ts'
import type { Proposer } from './propose.ts'
import { sessionLifetime, type Session } from './session.ts'
import type { Observable, RelayStatus } from './relayStatus.ts'

export type DappOptions = PeerOptions

/** What the wallet does with a session by itself. */
export type SessionListener = {
  /** The wallet granted something else than before. */
  updated(session: Session): void
  event(event: { name: string; data: unknown; chainId: ChainId }): void
  /** Deleted by the wallet, deleted in another tab, or expired. */
  ended(): void
}

export type SessionRequest = {
  topic: string
  chainId: ChainId
  method: string
  params: unknown
  /** How long the wallet may take, in seconds: 300 to 604 800, 300 by default. */
  expiry?: number
}

/** The dapp side of the Sign protocol: proposes sessions and asks wallets through them. */
export type Dapp = {
  readonly status: Observable<RelayStatus>
  /** Shows pairing links until a wallet settles a session. */
  connect(request: ConnectParts): Promise<Session>
  /** The sessions that still stand; listens on them in the background. */
  restore(): readonly Session[]
  /** The session as it is now. */
  session(topic: string): Session | undefined
  /** Remembers the chain that requests of a namespace go to. */
  setDefaultChain(topic: string, chainId: ChainId): void
  /**
   * Asks the wallet.
   *
   * @throws LatchkeyError `request/rejected`, `request/failed` (with the wallet's code), `request/unknown` when a method
   * that signs was not answered in time, `request/expired` when one that reads was not, `session/ended`,
   * `session/not-found`, or a `relay/…` error when the request never left.
   */
  request(request: SessionRequest): Promise<unknown>
  /** Whether the wallet answers right now. @throws LatchkeyError `request/expired`, `session/not-found`, `relay/…`. */
  ping(topic: string): Promise<void>
  /** Ends a session here at once and tells the wallet; waits a few seconds at most for the relay to take that. */
  disconnect(topic: string): Promise<void>
  /** Follows a session; returns what stops it. */
  listen(topic: string, listener: SessionListener): () => void
  /** Ends all listening; sessions stay. */
  close(): void
}

/** Where the dapp side keeps its sessions and keys. */
const prefix = '@latchkey/walletconnect/'

/** Seconds. */
const patience = { farewell: 3, relay: 60, request: 300, longestRequest: sessionLifetime } as const

/**
 * Makes the dapp side. Nothing is dialled before the first use.
 *
 * @example
 * const dapp = createDapp({ relayUrl: 'wss://relay.example.org/relay', projectId, metadata })
 * const session = await dapp.connect({ networks, signal, onUri: showQrCode })
 * const signature = await dapp.request({ topic: session.topic, chainId: 'eip155:1', method: 'personal_sign', params })
 */
export function createDapp(options: DappOptions): Dapp {
  const listeners = new Map<string, Set<SessionListener>>()
  const updates = new Map<string, number>()
  const peer: Proposer = { ...createPeer(options, prefix, receive), settlements: new Map() }
  const { relay, channel, keyring, sessions, expirer, clock } = peer
  let followed = new Map<string, Session>()
  const stopFollowingTabs = sessions.subscribe(forgetEnded)

  function tell(topic: string, message: (listener: SessionListener) => void): void {
    for (const listener of [...(listeners.get(topic) ?? [])]) message(listener)
  }

  function follow(session: Session): void {
    followed.set(session.topic, session)
    expirer.at(session.topic, session.expiry, () => end(session.topic))
  }

  function save(session: Session): void {
    sessions.save(session)
    follow(session)
  }

  /** Lets go of a session without telling the wallet. */
  function end(topic: string): void {
    const session = followed.get(topic)
    followed.delete(topic)
    updates.delete(topic)
    expirer.cancel(topic)
    sessions.remove(topic)
    keyring.drop(topic)
    relay.unsubscribe(topic)
    if (session === undefined) return
    channel.interrupt(topic, new LatchkeyError('session/ended', { wallet: session.peer.name }))
    tell(topic, (listener) => listener.ended())
    listeners.delete(topic)
  }

  function forgetEnded(): void {
    for (const topic of followed.keys()) if (sessions.get(topic) === undefined) end(topic)
  }

  function receive(request: PeerRequest): void {
    const { topic, method } = request
    if (method === 'wc_sessionSettle') return peer.settlements.get(topic)?.(request)
    const session = sessions.get(topic)
    const handle = handlers[method]
    if (session === undefined) return
    if (handle !== undefined) handle(session, request)
    else inBackground(channel.refuse(request, peerErrors.unsupportedMethod))
  }

  const handlers: { readonly [method in Method]?: (session: Session, request: PeerRequest) => void } = {
    wc_sessionPing: (_, request) => inBackground(channel.respond(request, true)),
    wc_sessionDelete: ({ topic }) => end(topic),
    wc_sessionExtend: (session, request) => {
      save({ ...session, expiry: Math.floor(clock.now() / 1000) + sessionLifetime })
      inBackground(channel.respond(request, true))
    },
    wc_sessionUpdate: update,
    wc_sessionEvent: event,
  }

  function update(session: Session, request: PeerRequest): void {
    const { topic, id, params } = request
    try {
      const isLate = id < (updates.get(topic) ?? 0)
      if (isLate) return inBackground(channel.refuse(request, peerErrors.invalidUpdate))
      const updated = { ...session, namespaces: keepDefaults(readSessionNamespaces(params.namespaces), session) }
      updates.set(topic, id)
      save(updated)
      inBackground(channel.respond(request, true))
      tell(topic, (listener) => listener.updated(updated))
    } catch (error) {
      if (!isLatchkeyError(error, 'session/invalid')) throw error
      inBackground(channel.refuse(request, peerErrors.invalidUpdate))
    }
  }

  function event(session: Session, request: PeerRequest): void {
    const { event: told, chainId } = request.params
    const grant = typeof chainId === 'string' ? session.namespaces[namespaceOf(chainId)] : undefined
    const chain = grant?.chains.find((each) => each === chainId)
    const name = isRecord(told) && typeof told.name === 'string' ? told.name : undefined
    if (chain === undefined || name === undefined || !isRecord(told) || grant?.events.includes(name) !== true) {
      return inBackground(channel.refuse(request, peerErrors.unauthorizedEvent))
    }
    tell(session.topic, (listener) => listener.event({ name, data: told.data, chainId: chain }))
  }

  function liveSession(topic: string): Session {
    const session = sessions.get(topic)
    if (session !== undefined && session.expiry * 1000 > clock.now()) return session
    end(topic)
    throw new LatchkeyError('session/not-found', { topic })
  }

  return {
    status: relay.status,
    async connect(request) {
      const session = await connectSession(peer, request)
      follow(session)
      return session
    },
    restore() {
      for (const session of sessions.all()) {
        if (session.expiry * 1000 <= clock.now() || keyring.get(session.topic) === undefined) end(session.topic)
        else if (!followed.has(session.topic)) {
          follow(session)
          inBackground(relay.subscribe(session.topic))
        }
      }
      return sessions.all()
    },
    session: (topic) => sessions.get(topic),
    setDefaultChain(topic, chainId) {
      const session = sessions.get(topic)
      const namespace = namespaceOf(chainId)
      const grant = session?.namespaces[namespace]
      if (session === undefined || grant === undefined) return
      save({ ...session, namespaces: { ...session.namespaces, [namespace]: { ...grant, defaultChain: chainId } } })
    },
    async request({ topic, chainId, method, params, expiry = patience.request }) {
      const session = liveSession(topic)
      const within = Math.min(Math.max(expiry, patience.request), patience.longestRequest)
      const expiryTimestamp = Math.floor(clock.now() / 1000) + within
      const body = { request: { method, params, expiryTimestamp }, chainId }
      try {
        return await channel.request(topic, 'wc_sessionRequest', body, { within }).answer
      } catch (error) {
        throw outcome(error, method, session)
      }
    },
    async ping(topic) {
      liveSession(topic)
      await channel.request(topic, 'wc_sessionPing', {}).answer
    },
    async disconnect(topic) {
      const session = sessions.get(topic)
      if (session === undefined) return
      const told = channel.tell(topic, 'wc_sessionDelete', peerErrors.disconnected, patience.relay)
      inBackground(told)
      listeners.delete(topic)
      end(topic)
      await Promise.race([
        told.catch(() => {}),
        new Promise<void>((resolve) => clock.after(patience.farewell * 1000, resolve)),
      ])
    },
    listen(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
      return () => known.delete(listener)
    },
    close() {
      followed = new Map()
      stopFollowingTabs()
      expirer.cancelAll()
      relay.close()
    },
  }
}

/** Says what became of a request, in the words of a Provider. */
function outcome(error: unknown, method: string, { peer }: Session): unknown {
  if (isLatchkeyError(error, 'request/expired')) {
    // An unanswered signature may have been given all the same; nobody must ask for a second one unwarned.
    const code = classifyMethod(method) === 'safe' ? 'request/expired' : 'request/unknown'
    return new LatchkeyError(code, { method }, { cause: error })
  }
  if (!isLatchkeyError(error, 'request/failed')) return error
  const { code, reason } = error.context
  if (isRefusal(code)) return new LatchkeyError('request/rejected', { method }, { cause: error })
  if (code === peerErrors.disconnected.code) return new LatchkeyError('session/ended', { wallet: peer.name })
  return new LatchkeyError('request/failed', { method, code, reason }, { cause: error })
}

function keepDefaults(namespaces: Session['namespaces'], { namespaces: known }: Session): Session['namespaces'] {
  return Object.fromEntries(
    Object.entries(namespaces).map(([name, grant]) => {
      const defaultChain = grant.chains.find((chain) => chain === known[name]?.defaultChain)
      return [name, { ...grant, defaultChain }]
    }),
  )
}
