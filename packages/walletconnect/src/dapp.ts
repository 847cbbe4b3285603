import type { Clock, EndReason } from '@latchkey/core'
import { LatchkeyError, type ChainId } from '@latchkey/protocol'
import { ask, type SessionRequest } from './ask.ts'
import type { StrayAnswer } from './channel.ts'
import { connectSession, type ConnectParts } from './connect.ts'
import { createKeyPair } from './curves.ts'
import { createReceiver } from './dappReceiver.ts'
import { walletConnectError } from './errors.ts'
import { createJournal, type OpenRequest } from './journal.ts'
import { createLiveSessions } from './liveSessions.ts'
import { peerErrors, type PeerError } from './messages.ts'
import { namespaceOf } from './grants.ts'
import { createPendingProposals } from './pending.ts'
import type { Phone } from './phone.ts'
import { createPeer, type PeerOptions } from './peer.ts'
import { settle, type Proposer } from './propose.ts'
import type { Observable, RelayStatus } from './relayStatus.ts'
import type { Session } from './session.ts'
import type { AuthenticateParts } from './signIn/authenticate.ts'
import type { VerifyContract } from './signIn/checkSignIn.ts'
import { receiveLink } from './signIn/linkMode.ts'
import type { SignedIn } from './signIn/signedIn.ts'

export type { RequestState, SessionRequest } from './ask.ts'
export type { OpenRequest } from './journal.ts'
export type { AuthenticateParts } from './signIn/authenticate.ts'
export type { SignedIn } from './signIn/signedIn.ts'
export type { VerifyContract } from './signIn/checkSignIn.ts'
export type DappOptions = PeerOptions & {
  /** The phone on which the wallet is opened for requests; by default the one that this page runs on, if it is one. */
  phone?: Phone
  /** Checks the sign-ins of contract accounts; without it they are refused. */
  verifyContract?: VerifyContract
}

/** What the wallet does with a session by itself. */
export type SessionListener = {
  /** The wallet granted something else than before. */
  updated(session: Session): void
  event(event: { name: string; data: unknown; chainId: ChainId }): void
  /** Deleted by the wallet, deleted in another tab, or expired. */
  ended(reason: EndReason): void
  /** An open request was answered after all: late, or after a reload. */
  answered?(request: OpenRequest, answer: { result: unknown } | { error: PeerError }): void
}

/** The dapp side of the Sign protocol: proposes sessions and asks wallets through them. */
export type Dapp = {
  readonly status: Observable<RelayStatus>
  /** Shows pairing links until a wallet settles a session, signing in with it where that is asked for. */
  connect(request: ConnectParts): Promise<Session>
  /**
   * Shows pairing links until a wallet signs in through one of them, with one approval for the session and the signature
   * (`wc_sessionAuthenticate`: CAIP-122, CAIP-74, EIP-5573). All signatures are checked.
   *
   * @throws LatchkeyError `config/invalid` when it could not be signed as it stands, `session/invalid` when the answer does
   * not verify or is not to this question, and what `connect` throws.
   * @example
   * const { session, auths } = await dapp.authenticate({ chains, domain, uri, nonce, methods, signal, onUri: showQrCode })
   */
  authenticate(request: AuthenticateParts): Promise<SignedIn>
  /**
   * Waits for a wallet to settle what pages before this one proposed: phones throw a page away while its visitor is in
   * his wallet. Nothing when there was nothing, or nothing came of it while it could.
   *
   * @throws LatchkeyError `connection/aborted`; the proposals are dropped then.
   */
  resume(signal: AbortSignal): Promise<Session | undefined>
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
   * that signs was not answered in time, or not before the session ended, `request/expired` when one that reads was not
   * or the wallet says so, `session/ended`, `session/not-found`, or a `relay/…` error when the request never left.
   */
  request(request: SessionRequest): Promise<unknown>
  /** Requests that sign and have no answer, oldest first: under way, or left by a page that is gone, their outcome unknown. */
  openRequests(): readonly OpenRequest[]
  /** Whether the wallet answers right now. @throws LatchkeyError `request/expired`, `session/not-found`, `relay/…`. */
  ping(topic: string): Promise<void>
  /** Ends a session here at once and tells the wallet; waits a few seconds at most for the relay to take that. */
  disconnect(topic: string): Promise<void>
  /** Follows a session; returns what stops it. */
  listen(topic: string, listener: SessionListener): () => void
  /**
   * Takes a universal link that opened this app, as a wallet in link mode answers.
   *
   * @returns whether it carried a message for this side
   */
  receiveLink(url: string): boolean
  /** Ends all listening; sessions stay. */
  close(): void
}

/** Where the dapp side keeps its sessions and keys. */
const prefix = '@latchkey/walletconnect/'

/** What an error without a code counts as (JSON-RPC 2.0). */
const internalError = -32_603

/** How long a relay is waited for when a session ends, in seconds. */
const farewell = 3

/**
 * Makes the dapp side. Nothing is dialled before the first use. Several over one storage, in one page or in several tabs,
 * have the same sessions: each has a socket of its own, hears what wallets tell, and gets the answers to what it asked.
 *
 * @example
 * const dapp = createDapp({ relayUrl: 'wss://relay.example.org/relay', projectId, metadata })
 * const session = await dapp.connect({ networks, signal, onUri: showQrCode })
 * const signature = await dapp.request({ topic: session.topic, chainId: 'eip155:1', method: 'personal_sign', params })
 */
export function createDapp(options: DappOptions): Dapp {
  const listeners = new Map<string, Set<SessionListener>>()
  const base = createPeer(options, prefix, {
    onRequest: (request) => receive(request),
    onStray: answeredLate,
    onKeyless: (topic) => live.lose(topic),
  })
  const live = createLiveSessions(base, ended)
  const journal = createJournal(base.storage, prefix, base.clock)
  const pending = createPendingProposals(base.storage, prefix, base.clock)
  const peer: Proposer = { ...base, live, pending, settlements: new Map() }
  const { relay, channel, sessions, clock } = peer

  function tell(topic: string, message: (listener: SessionListener) => void): void {
    for (const listener of listeners.get(topic) ?? []) message(listener)
  }

  function ended({ topic, peer: { name: wallet } }: Session, reason: EndReason): void {
    channel.interrupt(walletConnectError('session/ended', { wallet }), topic)
    tell(topic, (listener) => listener.ended(reason))
    listeners.delete(topic)
  }

  function answeredLate(answer: StrayAnswer): void {
    const request = journal.take(answer.topic, answer.id)
    if (request === undefined) return
    const { topic } = request
    const told =
      answer.kind === 'result'
        ? { result: answer.result }
        : { error: { code: answer.code ?? internalError, message: answer.reason } }
    tell(topic, (listener) => listener.answered?.(request, told))
  }

  const receive = createReceiver(peer, tell)

  return {
    status: relay.status,
    connect: (request) => connectSession(peer, request, options.verifyContract),
    async authenticate(request) {
      const { authenticate } = await import('./signIn/dappSide.ts')
      return authenticate(peer, request, options.verifyContract)
    },
    async resume(signal) {
      if (pending.all().length === 0) return undefined
      const { resumeProposals } = await import('./resume.ts')
      const aborted = new LatchkeyError('connection/aborted', {})
      return resumeProposals({ ...peer, settle, createKeyPair }, signal, aborted)
    },
    restore: live.restore,
    session: sessions.get,
    setDefaultChain(topic, chainId) {
      const session = sessions.get(topic)
      const namespace = namespaceOf(chainId)
      const grant = session?.namespaces[namespace]
      if (session === undefined || grant === undefined) return
      live.save({ ...session, namespaces: { ...session.namespaces, [namespace]: { ...grant, defaultChain: chainId } } })
    },
    request: async (request) => ask({ ...peer, journal, phone: options.phone }, live.get(request.topic), request),
    openRequests: journal.all,
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
      channel.interrupt(walletConnectError('session/ended', { wallet: session.peer.name }), topic)
      await Promise.race([told, pause(clock, farewell)])
    },
    listen(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
      return () => known.delete(listener)
    },
    receiveLink: (url) => receiveLink(peer, url),
    close() {
      live.close()
      channel.interrupt(new LatchkeyError('connection/aborted', {}))
      relay.close()
    },
  }
}

function pause(clock: Clock, seconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(seconds * 1000, resolve))
}
