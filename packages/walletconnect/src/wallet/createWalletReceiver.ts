import type { PeerRequest } from '../channel/channel.ts'
import { peerErrors, type PeerError } from '../channel/peerError.ts'
import { authenticateRejections, proposalRejections, unknownMethod, type SignMethod } from '../channel/signMethod.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import { receivePairingRequest, type PairingActions } from '../session/receivePairingRequest.ts'
import type { Session } from '../session/session.ts'
import { tryParse } from '../session/tryParse.ts'
import { isFallbackProposal, parseAuthenticateRequest } from '../signIn/wallet/authenticateRequest.ts'
import type { ResponseSender } from './createResponseSender.ts'
import type { CompletedRequest } from './completedRequests.ts'
import type { InboxItem, RespondedItem } from './inbox.ts'
import { isStale, requestExpiry } from './requestExpiry.ts'
import { toNamespaceError } from './toNamespaceError.ts'
import { parseProposal } from './sessionProposal.ts'
import type { WalletListener } from './wallet.ts'
import { endPairing, type WalletClient } from './walletClient.ts'
import { parseWalletRequest } from './walletRequest.ts'

/** A request may have this much time left when it arrives, in seconds. */
const requestMargin = 60

/** EIP-1474. */
const limitExceeded: PeerError = { code: -32_005, message: 'Too many pending requests' }

/** Calls each listener. */
export type NotifyListeners = (call: (listener: Partial<WalletListener>) => void) => void

type ReceivingClient = WalletClient & { readonly responses: ResponseSender }

/** Creates the handler of the dapps' requests. */
export function createWalletReceiver(
  client: ReceivingClient,
  notifyListeners: NotifyListeners,
): (request: PeerRequest) => void {
  const { channel, sessions, activeSessions } = client

  const handlers: { readonly [method in SignMethod]?: (session: Session, request: PeerRequest) => void } = {
    wc_sessionRequest: (session, request) => receiveSessionRequest(client, notifyListeners, session, request),
    wc_sessionDelete: ({ topic }) => activeSessions.end(topic),
    wc_sessionPing: (_, request) => runInBackground(channel.respond(request, true)),
    wc_sessionUpdate: (_, request) => runInBackground(channel.reject(request, peerErrors.unauthorizedUpdate)),
    wc_sessionExtend: (_, request) => runInBackground(channel.reject(request, peerErrors.unauthorizedExtend)),
    // Only the wallet, the controller of the session, emits events.
    wc_sessionEvent: (_, request) => runInBackground(channel.reject(request, peerErrors.unauthorizedEvent)),
  }

  const pairings: PairingActions = {
    end: (topic) => endPairing(client, topic),
    extend: (topic, expiry) => extendPairing(client, topic, expiry),
  }

  return (request) => {
    if (request.method === 'wc_sessionPropose') return receiveProposal(client, notifyListeners, request)
    if (request.method === 'wc_sessionAuthenticate') return receiveAuthenticate(client, notifyListeners, request)
    const session = sessions.get(request.topic)
    if (session === undefined) return receivePairingRequest(client, pairings, request)
    const handle = handlers[request.method]
    if (handle !== undefined) handle(session, request)
    else runInBackground(channel.reject(request, peerErrors.unsupportedMethod))
  }
}

/** Extends a pairing without a request. A request has an expiry of its own. */
function extendPairing(client: WalletClient, topic: string, expiry: number): void {
  const { expiryTimers, inbox } = client
  if (inbox.list().some((item) => item.topic === topic)) return
  expiryTimers.set(topic, expiry, () => endPairing(client, topic))
}

function toInboxItem({ clock }: WalletClient, request: PeerRequest): InboxItem {
  const { publishedAt } = request
  const expiry = requestExpiry(request, clock.now())
  // The relay drops expired requests, so one that arrives is not expired, regardless of this machine's clock.
  if (publishedAt !== undefined) clock.observe(publishedAt, expiry - publishedAt / 1000 + requestMargin)
  return { ...request, expiry }
}

function receiveAuthenticate(client: WalletClient, notifyListeners: NotifyListeners, request: PeerRequest): void {
  const { channel, inbox } = client
  let isSupported = false
  notifyListeners((listener) => {
    isSupported ||= listener.authenticate !== undefined
  })
  // The dapp has also proposed a session, for wallets without sign-in.
  if (!isSupported) {
    return runInBackground(channel.reject(request, peerErrors.unsupportedMethod, unknownMethod))
  }
  const item = toInboxItem(client, request)
  const authenticate = tryParse(() => parseAuthenticateRequest(item))
  if (authenticate === undefined) {
    runInBackground(channel.reject(request, peerErrors.malformedAuthenticate, authenticateRejections.wallet))
    return endPairing(client, request.topic)
  }
  inbox.removeTopic(request.topic)
  if (addPairingRequest(client, item)) notifyListeners((listener) => listener.authenticate?.(authenticate))
}

function receiveProposal(client: WalletClient, notifyListeners: NotifyListeners, request: PeerRequest): void {
  const { channel, inbox } = client
  if (isFallbackProposal(inbox, request.params)) return
  const item = inbox.find(request) ?? toInboxItem(client, request)
  try {
    const proposal = parseProposal(item)
    if (addPairingRequest(client, item)) notifyListeners((listener) => listener.proposal?.(proposal))
  } catch (error) {
    runInBackground(channel.reject(request, toNamespaceError(error), proposalRejections.wallet))
    endPairing(client, request.topic)
  }
}

/** Stores a request of a pairing until the user decides or it expires. Returns false if the pairing has no room left. */
function addPairingRequest(client: WalletClient, item: InboxItem): boolean {
  const { expiryTimers, inbox, keyring } = client
  if (!inbox.add(item)) return false
  keyring.storeHeld(item.topic)
  expiryTimers.set(item.topic, item.expiry, () => endPairing(client, item.topic))
  return true
}

function receiveSessionRequest(
  client: ReceivingClient,
  notifyListeners: NotifyListeners,
  session: Session,
  request: PeerRequest,
): void {
  const { inbox } = client
  const decided = inbox.findDecided(request)
  if (decided !== undefined) return repeatResponse(client, request, decided)
  // A request that is delivered again, or another one under its id: the user sees the first.
  const known = inbox.find(request)
  const item = known ?? toInboxItem(client, request)
  const parsed = parseWalletRequest(item, session)
  if ('code' in parsed) return refuseRequest(client, item, parsed)
  if (isStale(item, client.clock.now()) || parsed.expiry * 1000 <= client.clock.now()) {
    return refuseRequest(client, item, peerErrors.requestExpired)
  }
  if (!inbox.add(item)) return refuseRequest(client, item, limitExceeded)
  notifyListeners((listener) => listener.request?.(parsed))
}

/** Responds to a request that the relay delivers again, because its receipt was lost or because it is hostile. */
function repeatResponse(
  { channel, clock, responses }: ReceivingClient,
  request: PeerRequest,
  decided: RespondedItem | CompletedRequest,
): void {
  const { response, expiry } = decided
  if (response !== undefined) return runInBackground(responses.send({ ...request, expiry, response }))
  // Before the expiry, the relay has the response, which was too large to keep.
  if (expiry * 1000 <= clock.now()) runInBackground(channel.reject(request, peerErrors.requestExpired))
}

/** Refuses a request without asking the user. The refusal waits for the relay as a response does, if there is room. */
function refuseRequest({ channel, inbox, responses }: ReceivingClient, item: InboxItem, error: PeerError): void {
  const responded = inbox.add(item) ? inbox.storeResponse(item, { error }) : undefined
  runInBackground(responded === undefined ? channel.reject(item, error) : responses.send(responded))
}
