import { LatchkeyError, type AccountId, type ChainId } from '@latchkey/protocol'
import { approveProposal, type Approval } from './approve.ts'
import type { SessionProposal, WalletRequest } from './asked.ts'
import { walletConnectError } from './errors.ts'
import { createInbox } from './inbox.ts'
import { createLiveSessions } from './liveSessions.ts'
import { peerErrors, rejectTags, type PeerError } from './messages.ts'
import type { SessionNamespaces } from './grants.ts'
import { listenOnPairing, readPairing, type Arrivals } from './pair.ts'
import { createPeer, type PeerOptions } from './peer.ts'
import type { Observable, RelayStatus } from './relayStatus.ts'
import type { Session } from './session.ts'
import { formatSignInMessage, type Cacao } from './signIn/cacao.ts'
import { receiveLink } from './signIn/linkMode.ts'
import {
  approveAuthenticate,
  authenticatesIn,
  linkOfStranger,
  rejectAuthenticate,
  type AuthenticateRequest,
} from './signIn/signIns.ts'
import { createVerifier, dialForOrigins, type OriginVerdict } from './verify.ts'
import { createWalletReceiver, endPairing, proposalsIn, requestsIn, type WalletPeer } from './walletReceiver.ts'
import { createWalletSessions } from './walletSessions.ts'

export type { Approval } from './approve.ts'
export type { SessionProposal, WalletRequest } from './asked.ts'
export type { PeerError } from './messages.ts'
export type { ProposedNamespaces, SessionNamespaces } from './grants.ts'
export type { RelayWebSocket } from './relayLine.ts'
export type { RelayStatus } from './relayStatus.ts'
export type { Metadata, Session } from './session.ts'
export { restrict, type AuthPayload } from './signIn/authPayload.ts'
export { createCacao, type Cacao, type SignatureType } from './signIn/cacao.ts'
export type { AuthenticateRequest } from './signIn/signIns.ts'
export type { OriginVerdict } from './verify.ts'

export type WalletOptions = PeerOptions & {
  /** Fetches the keys of relays, for `verify`; by default the platform's. */
  fetch?: typeof fetch
}

/** What dapps do. */
export type WalletListener = {
  /** A dapp wants a session: answer with `approve` or `reject`. */
  proposal(proposal: SessionProposal): void
  /**
   * A dapp wants a session and a sign-in at once: answer with `approveAuthenticate` or `rejectAuthenticate`. While nobody
   * listens to this, dapps get a session by the proposal that they send beside it.
   */
  authenticate(request: AuthenticateRequest): void
  /** A dapp wants something done: answer with `respond`. */
  request(request: WalletRequest): void
  /** A session is over: the dapp deleted it, did not accept it, or it expired. */
  sessionEnded(session: Session): void
}

/** The wallet side of the Sign protocol: takes up pairing links, grants sessions and answers requests. */
export type Wallet = {
  readonly status: Observable<RelayStatus>
  /**
   * Takes up the link that a dapp shows, or a link or base64 that carries it; its proposal arrives at the listeners.
   *
   * @throws LatchkeyError `pairing/invalid`, `pairing/expired` or `relay/…`.
   */
  pair(uri: string): Promise<void>
  /** Proposals and requests that wait for an answer, oldest first; those from before a reload too. */
  proposals(): readonly SessionProposal[]
  authenticates(): readonly AuthenticateRequest[]
  requests(): readonly WalletRequest[]
  sessions(): readonly Session[]
  /**
   * Finds out where something that waits comes from, as far as the relay knows. It never rejects, takes three seconds at
   * most, and nothing else waits for it: show the question at once, and the verdict when it is there.
   *
   * @returns `proven` when the browser of the dapp says that its page is where the dapp says it is, `mismatch` when it
   * says otherwise, `unknown` when nobody says or it cannot be checked. Programs that are no browsers say what they like.
   * @example
   * const verdict = await wallet.verify(proposal)
   * if (verdict.status === 'mismatch') warn(`This page is ${verdict.origin}, not ${proposal.proposer.url}.`)
   */
  verify(asked: SessionProposal | AuthenticateRequest | WalletRequest): Promise<OriginVerdict>
  /**
   * Grants a session.
   *
   * @throws LatchkeyError `pairing/expired`, `session/invalid` when the accounts do not cover what is required, `relay/…`.
   */
  approve(proposal: SessionProposal, approval: Approval): Promise<Session>
  /** Declines a proposal. @throws LatchkeyError `relay/…`. */
  reject(proposal: SessionProposal, error?: PeerError): Promise<void>
  /**
   * The text that an account signs by EIP-191 (`personal_sign`) to sign in: CAIP-122, EIP-4361, EIP-5573.
   *
   * @throws LatchkeyError `caip/invalid`.
   */
  formatAuthMessage(request: Pick<AuthenticateRequest, 'payload'>, account: AccountId): string
  /**
   * Answers a request to sign in with what was signed, and makes the session that it grants.
   *
   * @param request as it came, or with what `restrict` left of its payload
   * @param cacaos one for each chain that the person signed in on, from `createCacao`
   * @returns the session; nothing when the dapp asked for the sign-in alone.
   * @throws LatchkeyError `request/expired`, `session/invalid`, `relay/…`.
   * @example
   * const payload = restrict(request.payload, { chains: ['eip155:1'], methods: ['personal_sign'] })
   * const account = 'eip155:1:0xab16…'
   * const signature = await personalSign(account, wallet.formatAuthMessage({ payload }, account))
   * await wallet.approveAuthenticate({ ...request, payload }, [createCacao(payload, account, signature)])
   */
  approveAuthenticate(request: AuthenticateRequest, cacaos: readonly Cacao[]): Promise<Session | undefined>
  /** Declines a request to sign in. @throws LatchkeyError `relay/…`. */
  rejectAuthenticate(request: AuthenticateRequest, error?: PeerError): Promise<void>
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
  /**
   * Takes a universal link that opened this app, as dapps in link mode ask.
   *
   * @returns whether it carried a message for this side
   */
  receiveLink(url: string): boolean
  /** Ends all listening; sessions stay. */
  close(): void
}

/** Where the wallet side keeps its sessions and keys. */
const prefix = '@latchkey/walletconnect/wallet/'

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
  const arrivals: Arrivals = new Map()
  const createSocket = dialForOrigins(options.createSocket)
  const base = createPeer({ ...options, createSocket }, prefix, {
    onRequest(request) {
      arrivals.get(request.topic)?.()
      receive(request)
    },
    onKeyless: (topic) => live.lose(topic),
  })
  const inbox = createInbox(base.storage, prefix, base.clock)
  const live = createLiveSessions(base, (session) => {
    inbox.clear(session.topic)
    tell((listener) => listener.sessionEnded?.(session))
  })
  const peer: WalletPeer = { ...base, inbox, live }
  const { relay, channel, keyring, sessions, expirer, clock } = peer
  const receive = createWalletReceiver(peer, tell)
  const verify = createVerifier({
    fetch: (...request) => fetch(...request),
    ...options,
    clock,
    storage: base.storage,
    prefix,
  })

  const waiting = [...proposalsIn(inbox), ...authenticatesIn(inbox)]
  for (const { topic } of inbox.sweep()) if (sessions.get(topic) === undefined) keyring.drop(topic)
  for (const { pairingTopic, expiry } of waiting) expirer.at(pairingTopic, expiry, () => endPairing(peer, pairingTopic))
  live.restore(waiting.map(({ pairingTopic }) => pairingTopic))

  function tell(message: (listener: Partial<WalletListener>) => void): void {
    for (const listener of listeners) message(listener)
  }

  return {
    status: relay.status,
    proposals: () => proposalsIn(inbox),
    authenticates: () => authenticatesIn(inbox),
    requests: () => requestsIn(inbox, sessions),
    sessions: sessions.all,

    async verify(asked) {
      const topic = 'pairingTopic' in asked ? asked.pairingTopic : asked.topic
      const { url } = 'proposer' in asked ? asked.proposer : asked.dapp
      const item = inbox.all().find((each) => each.id === asked.id && each.topic === topic)
      if (item?.attestation === undefined || item.digest === undefined) return { status: 'unknown' }
      return verify({ attestation: item.attestation, digest: item.digest, url })
    },

    async pair(uri) {
      const read = readPairing(uri, clock.now())
      const { topic } = read.pairing
      const isHere = ({ pairingTopic }: { pairingTopic: string }): boolean => pairingTopic === topic
      const proposed = proposalsIn(inbox).find(isHere)
      const asked = authenticatesIn(inbox).find(isHere)
      // The relay has delivered it already and would not do so again.
      if (proposed !== undefined) return tell((listener) => listener.proposal?.(proposed))
      if (asked !== undefined) return tell((listener) => listener.authenticate?.(asked))
      await listenOnPairing({ ...peer, arrivals }, read)
    },

    async approve(proposal, approval) {
      const session = await approveProposal(peer, proposal, approval, ({ topic }) => live.end(topic))
      live.save(session)
      endPairing(peer, proposal.pairingTopic)
      return session
    },

    async reject({ id, pairingTopic }, error = peerErrors.rejected) {
      const request = { topic: pairingTopic, id, method: 'wc_sessionPropose' } as const
      await channel.refuse(request, error, rejectTags.visitor)
      endPairing(peer, pairingTopic)
    },

    formatAuthMessage: ({ payload }, account) => formatSignInMessage(payload, account),

    async approveAuthenticate(request, cacaos) {
      const session = await approveAuthenticate(peer, request, cacaos)
      endPairing(peer, request.pairingTopic)
      return session
    },

    async rejectAuthenticate(request, error = peerErrors.rejectedAuthenticate) {
      await rejectAuthenticate(peer, request, error)
      endPairing(peer, request.pairingTopic)
    },

    async respond({ id, method, topic }, answer) {
      const item = inbox.take(id)
      if (item === undefined || sessions.get(topic) === undefined)
        throw walletConnectError('request/expired', { method })
      if ('error' in answer) await channel.refuse(item, answer.error)
      else await channel.respond(item, answer.result)
    },

    ...createWalletSessions(peer),

    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    receiveLink: (url) => receiveLink(peer, url, linkOfStranger),

    close() {
      live.close()
      channel.interrupt(new LatchkeyError('connection/aborted', {}))
      relay.close()
    },
  }
}
