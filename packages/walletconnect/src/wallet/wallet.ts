import type { AccountId, ChainId } from '@latchkey/protocol'
import type { PeerError } from '../channel/peerError.ts'
import type { SignClientOptions } from '../channel/signClient.ts'
import type { Observable } from '../primitives/observable.ts'
import type { RelayStatus } from '../relay/relayStatus.ts'
import type { Session } from '../session/session.ts'
import type { SessionNamespaces } from '../session/sessionNamespaces.ts'
import type { Cacao } from '../signIn/cacao.ts'
import type { AuthenticateRequest } from '../signIn/wallet/authenticateRequest.ts'
import type { Approval } from './approveProposal.ts'
import type { OriginVerdict } from './originVerifier.ts'
import type { SessionProposal } from './sessionProposal.ts'
import type { WalletRequest } from './walletRequest.ts'
import type { WalletResponse } from './walletResponse.ts'

export type WalletOptions = SignClientOptions & {
  /** Fetches the keys of relays, for `verify`. Defaults to the platform's. */
  fetch?: typeof fetch
}

/** Handles the requests of dapps. */
export type WalletListener = {
  /** A dapp proposes a session. Call `approve` or `reject`. */
  proposal(proposal: SessionProposal): void
  /**
   * A dapp wants a session and a sign-in at once. Call `approveAuthenticate` or `rejectAuthenticate`. Without a listener
   * for this, dapps get a session by the proposal that they send in addition.
   */
  authenticate(request: AuthenticateRequest): void
  /** A dapp sends a session request. Call `respond`. */
  request(request: WalletRequest): void
  /** A session is over: the dapp deleted it or did not accept it, or it expired. */
  sessionEnded(session: Session): void
}

/** The wallet side of the Sign protocol: pairs with dapps, approves sessions and responds to requests. */
export type Wallet = {
  readonly status: Observable<RelayStatus>
  /**
   * Pairs with a dapp. Its proposal arrives at the listeners.
   *
   * @param uri a pairing URI, or a link or base64 that contains one
   * @throws LatchkeyError `pairing/invalid`, `pairing/expired`, `relay/…`
   */
  pair(uri: string): Promise<void>
  /** Returns the pending proposals, oldest first, including those from before a reload. */
  proposals(): readonly SessionProposal[]
  authenticateRequests(): readonly AuthenticateRequest[]
  requests(): readonly WalletRequest[]
  sessions(): readonly Session[]
  /**
   * Verifies the origin of a pending request, as far as the relay knows it. Never rejects. Takes three seconds at most:
   * show the request at once, and the verdict when it arrives.
   *
   * @returns `proven` if the dapp's browser confirms the origin that the dapp gives, `mismatch` if it reports another one,
   * `unknown` if there is no attestation or it cannot be verified. Programs other than browsers can claim any origin.
   * @example
   * const verdict = await wallet.verify(proposal)
   * if (verdict.status === 'mismatch') warn(`This page is ${verdict.origin}, not ${proposal.proposer.url}.`)
   */
  verify(request: SessionProposal | AuthenticateRequest | WalletRequest): Promise<OriginVerdict>
  /**
   * Approves a session.
   *
   * @throws LatchkeyError `pairing/expired`, `session/invalid` if the accounts don't cover the required chains, `relay/…`
   */
  approve(proposal: SessionProposal, approval: Approval): Promise<Session>
  /** Rejects a proposal. @throws LatchkeyError `relay/…` */
  reject(proposal: SessionProposal, error?: PeerError): Promise<void>
  /**
   * Returns the text that an account signs by EIP-191 (`personal_sign`) to sign in: CAIP-122, EIP-4361, EIP-5573.
   *
   * @throws LatchkeyError `caip/invalid`
   */
  formatAuthMessage(request: Pick<AuthenticateRequest, 'payload'>, account: AccountId): string
  /**
   * Responds to a sign-in with its signatures, and creates the session that they grant.
   *
   * @param request the request, its payload reduced by `restrictAuthPayload` if you like
   * @param cacaos one from `createCacao` per chain that the user signed in on
   * @returns `undefined` if the dapp wanted the sign-in only
   * @throws LatchkeyError `request/expired`, `session/invalid`, `relay/…`
   * @example
   * const payload = restrictAuthPayload(authenticateRequest.payload, { chains: ['eip155:1'], methods: ['personal_sign'] })
   * const account = 'eip155:1:0xab16…'
   * const signature = await personalSign(account, wallet.formatAuthMessage({ payload }, account))
   * await wallet.approveAuthenticate({ ...authenticateRequest, payload }, [createCacao(payload, account, signature)])
   */
  approveAuthenticate(request: AuthenticateRequest, cacaos: readonly Cacao[]): Promise<Session | undefined>
  /** Rejects a sign-in. @throws LatchkeyError `relay/…` */
  rejectAuthenticate(request: AuthenticateRequest, error?: PeerError): Promise<void>
  /**
   * Responds to a request. Error code 4001 means that the user declined. The first response counts. If the relay can't be
   * reached, the response is stored and sent once it can, even after a reload; a repeated call tries again at once.
   *
   * @throws LatchkeyError `request/expired` if it is no longer pending, `relay/…`
   */
  respond(request: WalletRequest, response: WalletResponse): Promise<void>
  /**
   * Replaces the approved namespaces of a session.
   *
   * @throws LatchkeyError `session/not-found`, `session/invalid` if they don't cover what the dapp requires, `relay/…`
   */
  updateSession(topic: string, namespaces: SessionNamespaces): Promise<void>
  /** Extends a session to seven days from now. @throws LatchkeyError `session/not-found`, `relay/…` */
  extendSession(topic: string): Promise<void>
  /**
   * Sends an event such as `chainChanged` or `accountsChanged`, if the session contains it.
   *
   * @throws LatchkeyError `session/not-found`, `network/unsupported`, `event/not-approved`, `relay/…`
   */
  emitEvent(topic: string, event: { name: string; data: unknown }, chainId: ChainId): Promise<void>
  /** Checks that the dapp responds now. @throws LatchkeyError `request/expired`, `session/not-found`, `relay/…` */
  ping(topic: string): Promise<void>
  /** Ends a session here at once and notifies the dapp. @throws LatchkeyError `relay/…` if the dapp cannot be notified */
  disconnect(topic: string): Promise<void>
  /** Subscribes to the requests of dapps. Returns a function that unsubscribes. */
  listen(listener: Partial<WalletListener>): () => void
  /**
   * Takes a universal link that opened this app, the request of a dapp in link mode.
   *
   * @returns true if the link carried a message for this side
   */
  receiveLink(url: string): boolean
  /** Ends all subscriptions. Sessions stay valid. */
  close(): void
}
