import type { PeerRequest } from '../channel/channel.ts'
import { peerErrors } from '../channel/peerError.ts'
import {
  authenticateRejectionTags,
  proposalRejectionTags,
  unknownMethod,
  type SignMethod,
} from '../channel/signMethod.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import type { Session } from '../session/session.ts'
import { tryParse } from '../session/tryParse.ts'
import { isFallbackProposal, parseAuthenticateRequest } from '../signIn/wallet/authenticateRequest.ts'
import type { ResponseSender } from './createResponseSender.ts'
import type { InboxItem } from './inbox.ts'
import { requestExpiry } from './requestExpiry.ts'
import { parseProposal } from './sessionProposal.ts'
import type { WalletListener } from './wallet.ts'
import { endPairing, type WalletClient } from './walletClient.ts'
import { parseWalletRequest } from './walletRequest.ts'

/** A request may have this much time left when it arrives, in seconds. */
const requestMargin = 60

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
  }

  return (request) => {
    if (request.method === 'wc_sessionPropose') return receiveProposal(client, notifyListeners, request)
    if (request.method === 'wc_sessionAuthenticate') return receiveAuthenticate(client, notifyListeners, request)
    const session = sessions.get(request.topic)
    if (session === undefined) return
    const handle = handlers[request.method]
    if (handle !== undefined) handle(session, request)
    else runInBackground(channel.reject(request, peerErrors.unsupportedMethod))
  }
}

function toInboxItem({ clock }: WalletClient, request: PeerRequest): InboxItem {
  const { publishedAt } = request
  const expiry = requestExpiry(request, clock.now())
  // The relay drops expired requests, so one that arrives is not expired, whatever the own clock says.
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
    return runInBackground(channel.reject(request, peerErrors.unsupportedMethod, unknownMethod.responseTag))
  }
  const item = toInboxItem(client, request)
  const authenticate = tryParse(() => parseAuthenticateRequest(item))
  if (authenticate === undefined) {
    const { wallet: tag } = authenticateRejectionTags
    runInBackground(channel.reject(request, peerErrors.malformedAuthenticate, tag))
    return endPairing(client, request.topic)
  }
  inbox.removeTopic(request.topic)
  addPairingRequest(client, item)
  notifyListeners((listener) => listener.authenticate?.(authenticate))
}

function receiveProposal(client: WalletClient, notifyListeners: NotifyListeners, request: PeerRequest): void {
  const { channel, inbox } = client
  if (isFallbackProposal(inbox, request.params)) return
  const item = toInboxItem(client, request)
  const proposal = tryParse(() => parseProposal(item))
  if (proposal === undefined) {
    runInBackground(channel.reject(request, peerErrors.unsupportedNamespaces, proposalRejectionTags.wallet))
    return endPairing(client, request.topic)
  }
  addPairingRequest(client, item)
  notifyListeners((listener) => listener.proposal?.(proposal))
}

/** Stores the first request of a pairing until the user decides or it expires. */
function addPairingRequest(client: WalletClient, item: InboxItem): void {
  const { expiryTimers, inbox, keyring } = client
  inbox.add(item)
  keyring.storeHeld(item.topic)
  expiryTimers.set(item.topic, item.expiry, () => endPairing(client, item.topic))
}

function receiveSessionRequest(
  client: ReceivingClient,
  notifyListeners: NotifyListeners,
  session: Session,
  request: PeerRequest,
): void {
  const { channel, clock, inbox, responses } = client
  // The relay delivers a message again if its receipt was lost.
  if (inbox.isDecided(request)) return runInBackground(responses.sendUnsent())
  const item = toInboxItem(client, request)
  const parsed = parseWalletRequest(item, session)
  if ('code' in parsed) return runInBackground(channel.reject(request, parsed))
  if (parsed.expiry * 1000 <= clock.now()) {
    return runInBackground(channel.reject(request, peerErrors.requestExpired))
  }
  inbox.add(item)
  notifyListeners((listener) => listener.request?.(parsed))
}
