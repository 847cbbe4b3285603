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

type NotifyListeners = (topic: string, call: (listener: SessionListener) => void) => void

type RequestHandler = (session: Session, request: PeerRequest) => void

/** Creates the handler of the wallets' requests. */
export function createDappReceiver(
  client: DappClient,
  notifyListeners: NotifyListeners,
): (request: PeerRequest) => void {
  const { channel, sessions, settlements, activeSessions } = client

  const handlers: { readonly [method in SignMethod]?: RequestHandler } = {
    wc_sessionPing: (_, request) => runInBackground(channel.respond(request, true)),
    wc_sessionDelete: ({ topic }) => activeSessions.end(topic),
    wc_sessionExtend: (session, request) => extendSession(client, session, request),
    wc_sessionUpdate: createUpdateHandler(client, notifyListeners),
    wc_sessionEvent: createEventHandler(client, notifyListeners),
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

/** Extends a session by seven days at most. Never shortens it. */
function extendSession({ activeSessions, channel, clock }: DappClient, session: Session, request: PeerRequest): void {
  const { expiry: requested } = request.params
  const longest = Math.floor(clock.now() / 1000) + sessionLifetime
  const expiry = typeof requested === 'number' ? Math.max(session.expiry, Math.min(requested, longest)) : longest
  activeSessions.save({ ...session, expiry })
  runInBackground(channel.respond(request, true))
}

function createUpdateHandler(
  { activeSessions, channel }: DappClient,
  notifyListeners: NotifyListeners,
): RequestHandler {
  const latestIds = new Map<string, number>()

  return (session, request) => {
    const { topic, id, params } = request
    const isOutdated = id < (latestIds.get(topic) ?? 0)
    const namespaces = isOutdated ? undefined : tryParse(() => parseUpdate(session, params.namespaces))
    if (namespaces === undefined) return runInBackground(channel.reject(request, peerErrors.invalidUpdate))
    const updated = { ...session, namespaces: keepDefaultChains(namespaces, session.namespaces) }
    latestIds.set(topic, id)
    activeSessions.save(updated)
    runInBackground(channel.respond(request, true))
    notifyListeners(topic, (listener) => listener.updated(updated))
  }
}

/** Parses the namespaces of an update. @throws LatchkeyError `session/invalid`, including if they lack a required one */
function parseUpdate({ requiredNamespaces = {} }: Session, value: unknown): SessionNamespaces {
  const namespaces = parseSessionNamespaces(value)
  assertNamespacesCovered(namespaces, requiredNamespaces)
  return namespaces
}

function createEventHandler({ channel }: DappClient, notifyListeners: NotifyListeners): RequestHandler {
  const latestIds = new Map<string, number>()

  return ({ topic, namespaces }, request) => {
    const { event, chainId } = request.params
    const namespace = typeof chainId === 'string' ? namespaces[namespaceOfId(chainId)] : undefined
    const chain = namespace?.chains.find((each) => each === chainId)
    const name = isUnknownRecord(event) ? namespace?.events.find((each) => each === event.name) : undefined
    if (chain === undefined || name === undefined || !isUnknownRecord(event)) {
      return runInBackground(channel.reject(request, peerErrors.unauthorizedEvent))
    }
    const kind = `${topic} ${name}`
    // A later event overtook this one, so its data is outdated.
    if (request.id < (latestIds.get(kind) ?? 0)) return
    latestIds.set(kind, request.id)
    notifyListeners(topic, (listener) => listener.event({ name, data: event.data, chainId: chain }))
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
