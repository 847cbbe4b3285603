import { LatchkeyError, type ChainId } from '@latchkey/protocol'
import type {
  OriginVerdict,
  PeerError,
  Session,
  SessionProposal,
  Wallet,
  WalletListener,
  WalletRequest,
} from '@latchkey/walletconnect/wallet'

/** The wallet side of the protocol without a relay. The test plays the apps. */
export type FakeProtocol = Wallet & {
  /** Receives a session proposal. */
  propose(proposal?: Partial<SessionProposal>): void
  /** Receives a request in the session that was approved last. */
  request(method: string, params: unknown, chainId?: ChainId): void
  /** Ends the session that was approved last, as its app. */
  endSession(): void
  /** The messages to apps, oldest first. */
  readonly sent: readonly unknown[]
  /** True if responses reach the relay. */
  isReachable: boolean
  /** The verdict on the origin of apps. */
  verdict: OriginVerdict | Promise<OriginVerdict>
}

const dapp = { name: 'Test app', description: '', url: 'https://app.example', icons: [] }
const methods = ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain', 'wallet_sendCalls']

/** Creates the protocol, empty and online. */
export function fakeProtocol(now: () => number): FakeProtocol {
  const state: ProtocolState = {
    now,
    listeners: new Set(),
    sessions: new Map(),
    proposals: new Map(),
    requests: new Map(),
    lastId: 0,
    lastTopic: '',
  }
  const { listeners, sessions, proposals, requests } = state
  const sent: unknown[] = []

  const isWaiting = ({ expiry }: { expiry: number }): boolean => expiry * 1000 > now()
  const record = (message: unknown): void => {
    if (!protocol.isReachable)
      throw new LatchkeyError(
        'relay/unreachable',
        { origin: 'wss://relay.invalid' },
        { sentence: 'The relay at wss://relay.invalid cannot be reached.' },
      )
    sent.push(message)
  }

  const protocol: FakeProtocol = {
    ...createAppActions(state),
    ...createWalletActions(state, record),
    sent,
    isReachable: true,
    verdict: { status: 'unknown' },
    verify: async () => protocol.verdict,
    status: { get: () => ({ state: 'open' }), subscribe: () => () => {} },
    sessions: () => [...sessions.values()],
    proposals: () => [...proposals.values()].filter(isWaiting),
    requests: () => [...requests.values()].filter(isWaiting),
    // This wallet signs in only with a proposal. An app that requests it otherwise also proposes a session.
    authenticateRequests: () => [],
    formatAuthMessage: ({ payload: { domain, nonce } }, account) => `${domain} ${nonce} ${account}`,
    approveAuthenticate: async () => undefined,
    rejectAuthenticate: async () => {},
    receiveLink: () => false,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async pair() {},
    async extendSession() {},
    async ping() {},
    close() {
      listeners.clear()
    },
  }
  return protocol
}

type ProtocolState = {
  readonly now: () => number
  readonly listeners: Set<Partial<WalletListener>>
  readonly sessions: Map<string, Session>
  /** By the topic of their pairing. */
  readonly proposals: Map<string, SessionProposal>
  readonly requests: Map<number, WalletRequest>
  lastId: number
  /** The topic of the session that was approved last. */
  lastTopic: string
}

/** @returns the time in five minutes, in seconds */
function computeExpiry({ now }: ProtocolState): number {
  return now() / 1000 + 300
}

/** Creates the functions by which the test acts as an app. */
function createAppActions(state: ProtocolState): Pick<FakeProtocol, 'propose' | 'request' | 'endSession'> {
  const { listeners, sessions, proposals, requests } = state
  return {
    propose(given = {}) {
      state.lastId += 1
      const proposal: SessionProposal = {
        id: state.lastId,
        pairingTopic: `pairing ${state.lastId}`,
        proposer: dapp,
        proposerPublicKey: '',
        requiredNamespaces: {},
        optionalNamespaces: { eip155: { chains: ['eip155:1'], methods, events: ['accountsChanged', 'chainChanged'] } },
        authentication: [],
        expiry: computeExpiry(state),
        ...given,
      }
      proposals.set(proposal.pairingTopic, proposal)
      for (const listener of listeners) listener.proposal?.(proposal)
    },
    request(method, params, chainId = 'eip155:1') {
      state.lastId += 1
      const { lastId: id, lastTopic: topic } = state
      const request = { id, topic, dapp, chainId, method, params, expiry: computeExpiry(state) }
      requests.set(id, request)
      for (const listener of listeners) listener.request?.(request)
    },
    endSession() {
      const session = sessions.get(state.lastTopic)
      sessions.delete(state.lastTopic)
      requests.clear()
      if (session !== undefined) for (const listener of listeners) listener.sessionEnded?.(session)
    },
  }
}

/**
 * Creates the functions that send messages to apps.
 *
 * @param record records a message, and throws if the relay is unreachable
 */
function createWalletActions(
  state: ProtocolState,
  record: (message: unknown) => void,
): Pick<Wallet, 'approve' | 'reject' | 'respond' | 'updateSession' | 'emitEvent' | 'disconnect'> {
  const { sessions, proposals, requests } = state
  return {
    async approve({ id, pairingTopic, proposer, optionalNamespaces }, { accounts, methods = [], events = [], auths }) {
      record({ approved: accounts, ...(auths === undefined ? {} : { signed: auths.map(({ s }) => s.s) }) })
      proposals.delete(pairingTopic)
      const topic = `session ${id}`
      state.lastTopic = topic
      const chains = [...new Set(accounts.map((account): ChainId => `eip155:${account.split(':')[1] ?? ''}`))]
      const namespaces = { eip155: { accounts, chains, methods, events } }
      const session = { topic, peer: proposer, namespaces, optionalNamespaces, expiry: computeExpiry(state) }
      sessions.set(topic, session)
      return session
    },
    async reject({ pairingTopic }, error?: PeerError) {
      record({ rejected: error?.code ?? 5000 })
      proposals.delete(pairingTopic)
    },
    async respond({ id, method }, response) {
      if (!requests.delete(id))
        throw new LatchkeyError('request/expired', { method }, { sentence: 'The request has expired.' })
      record(response)
    },
    async updateSession(topic, namespaces) {
      const session = sessions.get(topic)
      if (session === undefined)
        throw new LatchkeyError('session/not-found', { topic }, { sentence: 'The session does not exist.' })
      record({ updated: Object.values(namespaces).flatMap(({ accounts }) => accounts) })
      sessions.set(topic, { ...session, namespaces })
    },
    async emitEvent(_, { name, data }) {
      record({ event: name, data })
    },
    async disconnect(topic) {
      sessions.delete(topic)
      record('disconnected')
    },
  }
}
