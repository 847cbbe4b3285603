import { expiryOf, readProposal, readRequest, type SessionProposal, type WalletRequest } from './asked.ts'
import type { PeerRequest } from './channel.ts'
import type { Inbox, InboxItem } from './inbox.ts'
import type { LiveSessions } from './liveSessions.ts'
import { authenticateRejectTags, peerErrors, rejectTags, unknownMethod, type Method } from './messages.ts'
import type { Peer } from './peer.ts'
import { inBackground } from './promise.ts'
import { readable } from './readable.ts'
import type { Session, Sessions } from './session.ts'
import { isFallback, readAuthenticate } from './signIn/signIns.ts'
import type { WalletListener } from './wallet.ts'

/** What a wallet is made of. */
export type WalletPeer = Peer & { readonly inbox: Inbox; readonly live: LiveSessions }

/** A request may have had little time left when it was delivered, in seconds. */
const requestMargin = 60

type Tell = (message: (listener: Partial<WalletListener>) => void) => void

/** Makes what takes in the requests of dapps. */
export function createWalletReceiver(peer: WalletPeer, tell: Tell): (request: PeerRequest) => void {
  const { channel, sessions, inbox, keyring, expirer, clock, live } = peer

  const handlers: { readonly [method in Method]?: (session: Session, request: PeerRequest) => void } = {
    wc_sessionRequest: receiveRequest,
    wc_sessionDelete: ({ topic }) => live.end(topic),
    wc_sessionPing: (_, request) => inBackground(channel.respond(request, true)),
    wc_sessionUpdate: (_, request) => inBackground(channel.refuse(request, peerErrors.unauthorizedUpdate)),
    wc_sessionExtend: (_, request) => inBackground(channel.refuse(request, peerErrors.unauthorizedExtend)),
  }

  function itemOf(request: PeerRequest): InboxItem {
    const { publishedAt } = request
    const expiry = expiryOf(request, clock.now())
    // The relay keeps a request as long as it lives: one that arrives is not older, whatever the own clock says.
    if (publishedAt !== undefined) clock.heard(publishedAt, expiry - publishedAt / 1000 + requestMargin)
    return { ...request, expiry }
  }

  function receiveAuthenticate(request: PeerRequest): void {
    let isHeard = false
    tell((listener) => {
      isHeard ||= listener.authenticate !== undefined
    })
    // The dapp has proposed a session beside it, for wallets that do not sign in.
    if (!isHeard) {
      return inBackground(channel.refuse(request, peerErrors.unsupportedMethod, unknownMethod.responseTag))
    }
    const item = itemOf(request)
    const asked = readable(() => readAuthenticate(item))
    if (asked === undefined) {
      inBackground(channel.refuse(request, peerErrors.malformedAuthenticate, authenticateRejectTags.wallet))
      return endPairing(peer, request.topic)
    }
    inbox.clear(request.topic)
    inbox.add(item)
    keyring.keepHeld(request.topic)
    expirer.at(request.topic, asked.expiry, () => endPairing(peer, request.topic))
    tell((listener) => listener.authenticate?.(asked))
  }

  function receiveProposal(request: PeerRequest): void {
    if (isFallback(inbox, request.params)) return
    const item = itemOf(request)
    const proposal = readable(() => readProposal(item))
    if (proposal === undefined) {
      inBackground(channel.refuse(request, peerErrors.unsupportedNamespaces, rejectTags.wallet))
      return endPairing(peer, request.topic)
    }
    inbox.add(item)
    keyring.keepHeld(request.topic)
    expirer.at(request.topic, proposal.expiry, () => endPairing(peer, request.topic))
    tell((listener) => listener.proposal?.(proposal))
  }

  function receiveRequest(session: Session, request: PeerRequest): void {
    const item = itemOf(request)
    const asked = readRequest(item, session)
    if ('code' in asked) return inBackground(channel.refuse(request, asked))
    if (asked.expiry * 1000 <= clock.now()) return inBackground(channel.refuse(request, peerErrors.requestExpired))
    inbox.add(item)
    tell((listener) => listener.request?.(asked))
  }

  return (request) => {
    if (request.method === 'wc_sessionPropose') return receiveProposal(request)
    if (request.method === 'wc_sessionAuthenticate') return receiveAuthenticate(request)
    const session = sessions.get(request.topic)
    if (session === undefined) return
    const handle = handlers[request.method]
    if (handle !== undefined) handle(session, request)
    else inBackground(channel.refuse(request, peerErrors.unsupportedMethod))
  }
}

/** The proposals that wait in an inbox. */
export function proposalsIn(inbox: Inbox): readonly SessionProposal[] {
  return inbox
    .all()
    .flatMap((item) => (item.method === 'wc_sessionPropose' ? (readable(() => readProposal(item)) ?? []) : []))
}

/** The requests that wait in an inbox, of sessions that stand. */
export function requestsIn(inbox: Inbox, sessions: Sessions): readonly WalletRequest[] {
  return inbox.all().flatMap((item) => {
    const session = sessions.get(item.topic)
    const asked = session === undefined ? undefined : readRequest(item, session)
    return asked === undefined || 'code' in asked ? [] : asked
  })
}

/** Forgets a pairing, its key and its proposal. */
export function endPairing({ expirer, inbox, keyring, relay }: WalletPeer, topic: string): void {
  expirer.cancel(topic)
  inbox.clear(topic)
  keyring.drop(topic)
  relay.unsubscribe(topic)
}
