import type { EndReason } from '@latchkey/core'
import type { ChainId } from '@latchkey/protocol'
import type { PeerError } from '../channel/peerError.ts'
import type { SignClientOptions } from '../channel/signClient.ts'
import type { Observable } from '../primitives/observable.ts'
import type { RelayStatus } from '../relay/relayStatus.ts'
import type { Session } from '../session/session.ts'
import type { VerifyContract } from '../signIn/checkSignIn.ts'
import type { AuthenticateOptions } from '../signIn/dapp/authenticate.ts'
import type { SignedIn } from '../signIn/dapp/signedIn.ts'
import type { SessionConnectOptions } from './connectSession.ts'
import type { Phone } from './deepLink/phone.ts'
import type { OpenRequest } from './openRequests.ts'
import type { SessionRequest } from './sendSessionRequest.ts'

export type DappOptions = SignClientOptions & {
  /** The phone on which the wallet opens for requests. Defaults to the phone of this page, if it runs on one. */
  phone?: Phone
  /** Verifies signatures of contract accounts. Without it, their sign-ins are refused. */
  verifyContract?: VerifyContract
}

/** Handles what the wallet does with a session on its own. */
export type SessionListener = {
  /** The wallet changed the approved namespaces. */
  updated(session: Session): void
  event(event: { name: string; data: unknown; chainId: ChainId }): void
  /** The session was deleted by the wallet or in another tab, or expired. */
  ended(reason: EndReason): void
  /** An open request got its response after all: late, or after a reload. */
  responded?(request: OpenRequest, response: { result: unknown } | { error: PeerError }): void
}

/** The dapp side of the Sign protocol: proposes sessions and sends requests to wallets. */
export type Dapp = {
  readonly status: Observable<RelayStatus>
  /**
   * Shows pairing URIs until a wallet settles a session. With `signIn`, the wallet may sign in, too.
   *
   * @throws LatchkeyError `connection/rejected`, `connection/aborted`, `connection/timed-out`, `session/invalid`,
   * `request/failed` with the wallet's code, `relay/refused`, `relay/unreachable` after four minutes without a relay
   * @example const session = await dapp.connect({ networks, signal, onUri: showQrCode })
   */
  connect(request: SessionConnectOptions): Promise<Session>
  /**
   * Shows pairing URIs until a wallet signs in through one of them, with one approval for the session and the signature
   * (`wc_sessionAuthenticate`: CAIP-122, CAIP-74, EIP-5573). All signatures are verified.
   *
   * @throws LatchkeyError `config/invalid` if the sign-in cannot be signed, `session/invalid` if the response does not
   * verify or belongs to another request, and the errors of `connect`
   * @example
   * const { session, auths } = await dapp.authenticate({ chains, domain, uri, nonce, methods, signal, onUri: showQrCode })
   */
  authenticate(request: AuthenticateOptions): Promise<SignedIn>
  /**
   * Waits for a wallet to settle the proposals of earlier pages: phones unload a page while its user is in the wallet.
   *
   * @returns `undefined` if there are no proposals, or none is settled before it expires
   * @throws LatchkeyError `connection/aborted`; the proposals are removed then
   */
  resume(signal: AbortSignal): Promise<Session | undefined>
  /** Returns the sessions that are still valid, and subscribes to them in the background. */
  restore(): readonly Session[]
  /** Returns the current state of a session. */
  session(topic: string): Session | undefined
  /** Stores the default chain for requests of a namespace. */
  setDefaultChain(topic: string, chainId: ChainId): void
  /**
   * Sends a request to the wallet, if it approved the chain and the method.
   *
   * @throws LatchkeyError `network/unsupported`, `request/rejected`, `request/failed` (with the wallet's code, or 4200 for a
   * method that it did not approve), `request/unknown` if a method
   * that signs got no response in time or before the session ended, `request/expired` if one that reads got none or the
   * wallet says so, `session/ended`, `session/not-found`, or a `relay/…` error if the request was never sent
   * @example
   * const params = ['0x68690a', address]
   * const signature = await dapp.request({ topic, chainId: 'eip155:1', method: 'personal_sign', params })
   */
  request(request: SessionRequest): Promise<unknown>
  /** Returns the signing requests without a response, oldest first: pending, or left by an earlier page. */
  openRequests(): readonly OpenRequest[]
  /** Checks that the wallet responds now. @throws LatchkeyError `request/expired`, `session/not-found`, `relay/…` */
  ping(topic: string): Promise<void>
  /** Ends a session here at once and notifies the wallet. Waits a few seconds at most for the relay. */
  disconnect(topic: string): Promise<void>
  /** Subscribes to a session. Returns a function that unsubscribes. */
  listen(topic: string, listener: SessionListener): () => void
  /**
   * Takes a universal link that opened this app, the response of a wallet in link mode.
   *
   * @returns true if the link carried a message for this side
   */
  receiveLink(url: string): boolean
  /** Ends all subscriptions. Sessions stay valid. */
  close(): void
}
