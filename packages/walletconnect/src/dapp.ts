import type { Clock } from '@latchkey/core'
import { classifyMethod, isLatchkeyError, LatchkeyError, type ChainId } from '@latchkey/protocol'
import { connectSession, type ConnectParts } from './connect.ts'
import { createReceiver } from './dappReceiver.ts'
import { createLiveSessions } from './liveSessions.ts'
import { isRefusal, peerErrors } from './messages.ts'
import { namespaceOf } from './grants.ts'
import { createPeer, type PeerOptions } from './peer.ts'
import type { Proposer } from './propose.ts'
import type { Observable, RelayStatus } from './relayStatus.ts'
import { sessionLifetime, type Session } from './session.ts'

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
const patience = { farewell: 3, request: 300, longestRequest: sessionLifetime } as const

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
  const base = createPeer(options, prefix, (request) => receive(request))
  const live = createLiveSessions(base, ended)
  const peer: Proposer = { ...base, live, settlements: new Map() }
  const { relay, channel, sessions, clock } = peer

  function tell(topic: string, message: (listener: SessionListener) => void): void {
    for (const listener of listeners.get(topic) ?? []) message(listener)
  }

  function ended({ topic, peer: { name: wallet } }: Session): void {
    channel.interrupt(topic, new LatchkeyError('session/ended', { wallet }))
    tell(topic, (listener) => listener.ended())
    listeners.delete(topic)
  }

  const receive = createReceiver(peer, tell)

  return {
    status: relay.status,
    connect: (request) => connectSession(peer, request),
    restore: live.restore,
    session: sessions.get,
    setDefaultChain(topic, chainId) {
      const session = sessions.get(topic)
      const namespace = namespaceOf(chainId)
      const grant = session?.namespaces[namespace]
      if (session === undefined || grant === undefined) return
      live.save({ ...session, namespaces: { ...session.namespaces, [namespace]: { ...grant, defaultChain: chainId } } })
    },
    async request({ topic, chainId, method, params, expiry = patience.request }) {
      const session = live.get(topic)
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
      live.get(topic)
      await channel.request(topic, 'wc_sessionPing', {}).answer
    },
    async disconnect(topic) {
      const session = sessions.get(topic)
      if (session === undefined) return
      const told = channel.tell(topic, 'wc_sessionDelete', peerErrors.disconnected).catch(() => {})
      listeners.delete(topic)
      live.drop(topic)
      channel.interrupt(topic, new LatchkeyError('session/ended', { wallet: session.peer.name }))
      await Promise.race([told, pause(clock, patience.farewell)])
    },
    listen(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
      return () => known.delete(listener)
    },
    close() {
      live.close()
      relay.close()
    },
  }
}

function pause(clock: Clock, seconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(seconds * 1000, resolve))
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
