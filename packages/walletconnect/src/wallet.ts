import { LatchkeyError, type AccountId, type ChainId } from '@latchkey/protocol'
import { approveProposal, type Approval } from './approve.ts'
import { expiryOf, readProposal, readRequest, type SessionProposal, type WalletRequest } from './asked.ts'
import type { PeerRequest } from './channel.ts'
import { createInbox } from './inbox.ts'
import { messageKinds, peerErrors, rejectTags, type Method, type PeerError } from './messages.ts'
import { readSessionNamespaces, type SessionNamespaces } from './namespaces.ts'
import { parsePairingUri } from './pairing.ts'
import { createPeer, type PeerOptions } from './peer.ts'
import { inBackground } from './promise.ts'
import type { Observable, RelayStatus } from './relayStatus.ts'
import { sessionLifetime, type Session } from './session.ts'

export type { Approval } from './approve.ts'
export type { SessionProposal, WalletRequest } from './asked.ts'
export type { PeerError } from './messages.ts'
export type { ProposedNamespaces, SessionNamespaces } from './namespaces.ts'
export type { RelayWebSocket } from './relaySocket.ts'
export type { RelayStatus } from './relayStatus.ts'
export type { Metadata, Session } from './session.ts'

export type WalletOptions = PeerOptions

/** What dapps do. */
export type WalletListener = {
  /** A dapp wants a session: answer with `approve` or `reject`. */
  proposal(proposal: SessionProposal): void
  /** A dapp wants something done: answer with `respond`. */
  request(request: WalletRequest): void
  /** A session is over: the dapp deleted it, did not accept it, or it expired. */
  sessionEnded(session: Session): void
}

/** The wallet side of the Sign protocol: takes up pairing links, grants sessions and answers requests. */
export type Wallet = {
  readonly status: Observable<RelayStatus>
  /**
   * Takes up the link that a dapp shows; its proposal arrives at the listeners.
   *
   * @throws LatchkeyError `pairing/invalid`, `pairing/expired` or `relay/…`.
   */
  pair(uri: string): Promise<void>
  /** Proposals and requests that wait for an answer, oldest first; those from before a reload too. */
  proposals(): readonly SessionProposal[]
  requests(): readonly WalletRequest[]
  sessions(): readonly Session[]
  /**
   * Grants a session.
   *
   * @throws LatchkeyError `pairing/expired`, `session/invalid` when the accounts do not cover what is required, `relay/…`.
   */
  approve(proposal: SessionProposal, approval: Approval): Promise<Session>
  /** Declines a proposal. @throws LatchkeyError `relay/…`. */
  reject(proposal: SessionProposal, error?: PeerError): Promise<void>
  /**
   * Answers a request. An error of code 4001 says that the person declined.
   *
   * @throws LatchkeyError `request/expired` when it does not wait any more, `relay/…`.
   */
  respond(request: WalletRequest, answer: { result: unknown } | { error: PeerError }): Promise<void>
  /** Grants something else in a session from now on. @throws LatchkeyError `session/not-found`, `session/invalid`, `relay/…`. */
  updateSession(topic: string, namespaces: SessionNamespaces): Promise<void>
  /** Makes a session stand for seven days from now. @throws LatchkeyError `session/not-found`, `relay/…`. */
  extendSession(topic: string): Promise<void>
  /** Tells the dapp of an event such as `chainChanged` or `accountsChanged`. @throws LatchkeyError `session/not-found`, `relay/…`. */
  emitEvent(topic: string, event: { name: string; data: unknown }, chainId: ChainId): Promise<void>
  /** Whether the dapp answers right now. @throws LatchkeyError `request/expired`, `session/not-found`, `relay/…`. */
  ping(topic: string): Promise<void>
  /** Ends a session here at once and tells the dapp. @throws LatchkeyError `relay/…` when that could not be told. */
  disconnect(topic: string): Promise<void>
  /** Follows what dapps do; returns what stops it. */
  listen(listener: Partial<WalletListener>): () => void
  /** Ends all listening; sessions stay. */
  close(): void
}

/** Where the wallet side keeps its sessions and keys. */
const prefix = '@latchkey/walletconnect/wallet/'

/** How long a relay is tried when a link is taken up, in seconds. */
const relayPatience = 60

/**
 * Makes the wallet side, and listens on the sessions that it had before.
 *
 * @example
 * const wallet = createWallet({ relayUrl: 'wss://relay.example.org/relay', projectId, metadata })
 * wallet.listen({
 *   proposal: (proposal) => wallet.approve(proposal, { accounts: ['eip155:1:0xab16…'] }),
 *   request: async (request) => wallet.respond(request, { result: await sign(request) }),
 * })
 * await wallet.pair(uri)
 */
export function createWallet(options: WalletOptions): Wallet {
  const listeners = new Set<Partial<WalletListener>>()
  const peer = createPeer(options, prefix, receive)
  const { relay, channel, keyring, sessions, expirer, clock } = peer
  const inbox = createInbox(peer.storage, prefix, clock)
  const inSeconds = (seconds: number): number => Math.floor(clock.now() / 1000) + seconds

  restore()

  function restore(): void {
    const waiting = proposals()
    keyring.retain([...sessions.all().map(({ topic }) => topic), ...waiting.map(({ pairingTopic }) => pairingTopic)])
    for (const { pairingTopic, expiry } of waiting) expirer.at(pairingTopic, expiry, () => endPairing(pairingTopic))
    for (const session of sessions.all()) {
      if (session.expiry * 1000 <= clock.now() || keyring.get(session.topic) === undefined) forget(session)
      else {
        follow(session)
        inBackground(relay.subscribe(session.topic))
      }
    }
  }

  function tell(message: (listener: Partial<WalletListener>) => void): void {
    for (const listener of [...listeners]) message(listener)
  }

  function follow(session: Session): void {
    expirer.at(session.topic, session.expiry, () => end(session))
  }

  function forget({ topic }: Session): void {
    expirer.cancel(topic)
    sessions.remove(topic)
    inbox.clear(topic)
    keyring.drop(topic)
    relay.unsubscribe(topic)
  }

  function end(session: Session): void {
    forget(session)
    tell((listener) => listener.sessionEnded?.(session))
  }

  function endPairing(topic: string): void {
    expirer.cancel(topic)
    inbox.clear(topic)
    keyring.drop(topic)
    relay.unsubscribe(topic)
  }

  function receive(request: PeerRequest): void {
    if (request.method === 'wc_sessionPropose') return receiveProposal(request)
    const session = sessions.get(request.topic)
    const handle = handlers[request.method]
    if (session === undefined) return
    if (handle !== undefined) handle(session, request)
    else inBackground(channel.refuse(request, peerErrors.unsupportedMethod))
  }

  const handlers: { readonly [method in Method]?: (session: Session, request: PeerRequest) => void } = {
    wc_sessionRequest: receiveRequest,
    wc_sessionDelete: end,
    wc_sessionPing: (_, request) => inBackground(channel.respond(request, true)),
    wc_sessionUpdate: (_, request) => inBackground(channel.refuse(request, peerErrors.unauthorizedUpdate)),
    wc_sessionExtend: (_, request) => inBackground(channel.refuse(request, peerErrors.unauthorizedExtend)),
  }

  function receiveProposal(request: PeerRequest): void {
    const item = { ...request, expiry: expiryOf(request.params, inSeconds(messageKinds.wc_sessionPropose.ttl)) }
    const proposal = attempt(() => readProposal(item))
    if (proposal === undefined) {
      inBackground(channel.refuse(request, peerErrors.unsupportedNamespaces, rejectTags.wallet))
      return endPairing(request.topic)
    }
    inbox.add(item)
    keyring.keepHeld(request.topic)
    expirer.at(request.topic, proposal.expiry, () => endPairing(request.topic))
    tell((listener) => listener.proposal?.(proposal))
  }

  function receiveRequest(session: Session, request: PeerRequest): void {
    const item = { ...request, expiry: expiryOf(request.params, inSeconds(messageKinds.wc_sessionRequest.ttl)) }
    const asked = readRequest(item, session)
    if ('code' in asked) return inBackground(channel.refuse(request, asked))
    if (asked.expiry * 1000 <= clock.now()) return inBackground(channel.refuse(request, peerErrors.requestExpired))
    inbox.add(item)
    tell((listener) => listener.request?.(asked))
  }

  function proposals(): readonly SessionProposal[] {
    const items = inbox.all().filter(({ method }) => method === 'wc_sessionPropose')
    return items.flatMap((item) => attempt(() => readProposal(item)) ?? [])
  }

  function sessionOf(topic: string): Session {
    const session = sessions.get(topic)
    if (session === undefined) throw new LatchkeyError('session/not-found', { topic })
    return session
  }

  return {
    status: relay.status,
    proposals,
    sessions: sessions.all,
    requests: () =>
      inbox.all().flatMap((item) => {
        const session = sessions.get(item.topic)
        const asked = session === undefined ? undefined : readRequest(item, session)
        return asked === undefined || 'code' in asked ? [] : asked
      }),

    async pair(uri) {
      const { topic, symmetricKey, expiry } = parsePairingUri(uri, clock.now())
      const waiting = proposals().find(({ pairingTopic }) => pairingTopic === topic)
      // The relay has delivered it already and would not do so again.
      if (waiting !== undefined) return tell((listener) => listener.proposal?.(waiting))
      keyring.hold(topic, symmetricKey)
      expirer.at(topic, expiry, () => endPairing(topic))
      try {
        await relay.ready(relayPatience)
        await relay.subscribe(topic)
      } catch (error) {
        endPairing(topic)
        throw error
      }
    },

    async approve(proposal, approval) {
      const session = await approveProposal(peer, proposal, approval, (refused) => {
        if (sessions.get(refused.topic) !== undefined) end(refused)
      })
      follow(session)
      endPairing(proposal.pairingTopic)
      return session
    },

    async reject({ id, pairingTopic }, error = peerErrors.rejected) {
      const request = { topic: pairingTopic, id, method: 'wc_sessionPropose' } as const
      await channel.refuse(request, error, rejectTags.visitor)
      endPairing(pairingTopic)
    },

    async respond({ id, method, topic }, answer) {
      const item = inbox.take(id)
      if (item === undefined || sessions.get(topic) === undefined)
        throw new LatchkeyError('request/expired', { method })
      if ('error' in answer) await channel.refuse(item, answer.error)
      else await channel.respond(item, answer.result)
    },

    async updateSession(topic, namespaces) {
      const session = sessionOf(topic)
      const updated = readSessionNamespaces(namespaces)
      const { published } = channel.request(topic, 'wc_sessionUpdate', { namespaces: updated })
      await published
      sessions.save({ ...session, namespaces: updated })
    },

    async extendSession(topic) {
      const extended = { ...sessionOf(topic), expiry: inSeconds(sessionLifetime) }
      const { published } = channel.request(topic, 'wc_sessionExtend', { expiry: extended.expiry })
      await published
      sessions.save(extended)
      follow(extended)
    },

    async emitEvent(topic, event, chainId) {
      sessionOf(topic)
      await channel.tell(topic, 'wc_sessionEvent', { event, chainId })
    },

    async ping(topic) {
      sessionOf(topic)
      await channel.request(topic, 'wc_sessionPing', {}).answer
    },

    async disconnect(topic) {
      const session = sessions.get(topic)
      if (session === undefined) return
      const told = channel.tell(topic, 'wc_sessionDelete', peerErrors.disconnected)
      forget(session)
      await told
    },

    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    close() {
      expirer.cancelAll()
      relay.close()
    },
  }
}

/** What a reader makes of an item; nothing when it refuses it. */
function attempt<result>(read: () => result): result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
