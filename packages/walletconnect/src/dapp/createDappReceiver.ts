import type { PeerRequest } from '../channel/channel.ts'
import { peerErrors } from '../channel/peerError.ts'
import type { SignMethod } from '../channel/signMethod.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import { receivePairingRequest } from '../session/receivePairingRequest.ts'
import { sessionLifetime, type Session } from '../session/session.ts'
import {
  assertNamespacesCovered,
  namespaceOfId,
  parseSessionNamespaces,
  type SessionNamespaces,
} from '../session/sessionNamespaces.ts'
import { tryParse } from '../session/tryParse.ts'
import type { SessionListener } from './dapp.ts'
import type { DappClient } from './dappClient.ts'
import { createMessageOrder, type MessageOrder } from './messageOrder.ts'

type NotifyListeners = (topic: string, call: (listener: SessionListener) => void) => void

type RequestHandler = (session: Session, request: PeerRequest) => void

/** Creates the handler of the wallets' requests. */
export function createDappReceiver(
  client: DappClient,
  notifyListeners: NotifyListeners,
): (request: PeerRequest) => void {
  const { channel, sessions, settlements, activeSessions } = client
  const order = createMessageOrder(sessions, client.clock)

  const handlers: { readonly [method in SignMethod]?: RequestHandler } = {
    wc_sessionPing: (_, request) => runInBackground(channel.respond(request, true)),
    wc_sessionDelete: ({ topic }) => activeSessions.end(topic),
    wc_sessionExtend: createExtendHandler(client, order),
    wc_sessionUpdate: createUpdateHandler(client, order, notifyListeners),
    wc_sessionEvent: createEventHandler(client, order, notifyListeners),
  }

  return (request) => {
    const { topic, method } = request
    if (method === 'wc_sessionSettle') return settlements.get(topic)?.(request)
    const session = sessions.get(topic)
    if (session === undefined) return receiveOnPairing(client, request)
    const handle = handlers[method]
    if (handle !== undefined) handle(session, request)
    else runInBackground(channel.reject(request, peerErrors.unsupportedMethod))
  }
}

function receiveOnPairing(client: DappClient, request: PeerRequest): void {
  const end = (topic: string): void => client.pairingEnds.get(topic)?.()
  // The app replaces its pairing URIs before they expire.
  receivePairingRequest(client, { end, extend() {} }, request)
}

/** Creates the handler of extensions. Each extends a session by seven days at most, once, and never shortens it. */
function createExtendHandler({ activeSessions, channel, clock }: DappClient, order: MessageOrder): RequestHandler {
  return (session, request) => {
    const { expiry: requested } = request.params
    const age = order.check(session, 'wc_sessionExtend', request.id)
    if (age === 'outdated') return runInBackground(channel.reject(request, peerErrors.invalidExtend))
    const longest = Math.floor(clock.now() / 1000) + sessionLifetime
    const expiry = typeof requested === 'number' ? Math.max(session.expiry, Math.min(requested, longest)) : longest
    const extended = age === 'new' ? order.recordId({ ...session, expiry }, 'wc_sessionExtend', request.id) : session
    // Another tab may have extended the session; this sets the timer of this page.
    activeSessions.save(extended)
    runInBackground(channel.respond(request, true))
  }
}

function createUpdateHandler(
  { activeSessions, channel }: DappClient,
  order: MessageOrder,
  notifyListeners: NotifyListeners,
): RequestHandler {
  return (session, request) => {
    const { topic, id, params } = request
    const namespaces = tryParse(() => parseUpdate(session, params.namespaces))
    const age = namespaces === undefined ? 'outdated' : order.check(session, 'wc_sessionUpdate', id)
    if (namespaces === undefined || age === 'outdated') {
      return runInBackground(channel.reject(request, peerErrors.invalidUpdate))
    }
    const kept = { ...session, namespaces: keepDefaultChains(namespaces, session.namespaces) }
    const updated = age === 'new' ? order.recordId(kept, 'wc_sessionUpdate', id) : session
    activeSessions.save(updated)
    // A repeated one gets a response, too: the first may have been lost.
    runInBackground(channel.respond(request, true))
    if (age !== 'repeated') notifyListeners(topic, (listener) => listener.updated(updated))
  }
}

/**
 * Parses the namespaces of an update. @throws LatchkeyError `session/invalid`, including when a required one is missing
 */
function parseUpdate({ requiredNamespaces = {} }: Session, value: unknown): SessionNamespaces {
  const namespaces = parseSessionNamespaces(value)
  assertNamespacesCovered(namespaces, requiredNamespaces)
  return namespaces
}

function createEventHandler(
  { activeSessions, channel }: DappClient,
  order: MessageOrder,
  notifyListeners: NotifyListeners,
): RequestHandler {
  return (session, request) => {
    const { event, chainId } = request.params
    const namespace = typeof chainId === 'string' ? session.namespaces[namespaceOfId(chainId)] : undefined
    const chain = namespace?.chains.find((each) => each === chainId)
    const name = isUnknownRecord(event) ? namespace?.events.find((each) => each === event.name) : undefined
    if (chain === undefined || name === undefined || !isUnknownRecord(event)) {
      return runInBackground(channel.reject(request, peerErrors.unauthorizedEvent))
    }
    const age = order.check(session, `wc_sessionEvent ${name}`, request.id)
    if (age === 'outdated' || age === 'repeated') return
    if (age === 'new') activeSessions.save(order.recordId(session, `wc_sessionEvent ${name}`, request.id))
    notifyListeners(session.topic, (listener) => listener.event({ name, data: event.data, chainId: chain }))
  }
}

/** Keeps the default chains that are still approved. */
function keepDefaultChains(namespaces: SessionNamespaces, previous: SessionNamespaces): SessionNamespaces {
  const entries = Object.entries(namespaces).map(([name, namespace]) => {
    const defaultChain = namespace.chains.find((chain) => chain === previous[name]?.defaultChain)
    return [name, { ...namespace, defaultChain }] as const
  })
  return Object.fromEntries(entries)
}
