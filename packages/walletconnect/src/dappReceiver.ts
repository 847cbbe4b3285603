import { isLatchkeyError } from '@latchkey/protocol'
import type { PeerRequest } from './channel.ts'
import type { SessionListener } from './dapp.ts'
import { peerErrors, type Method } from './messages.ts'
import { namespaceOf, readSessionNamespaces, type SessionNamespaces } from './grants.ts'
import { isRecord } from './parse.ts'
import { inBackground } from './promise.ts'
import type { Proposer } from './propose.ts'
import { sessionLifetime, type Session } from './session.ts'

type Tell = (topic: string, message: (listener: SessionListener) => void) => void

/** Makes what takes in the requests of wallets. */
export function createReceiver(
  { channel, sessions, settlements, live, clock }: Proposer,
  tell: Tell,
): (request: PeerRequest) => void {
  const updates = new Map<string, number>()
  const events = new Map<string, number>()

  const handlers: { readonly [method in Method]?: (session: Session, request: PeerRequest) => void } = {
    wc_sessionPing: (_, request) => inBackground(channel.respond(request, true)),
    wc_sessionDelete: ({ topic }) => live.end(topic),
    wc_sessionExtend(session, request) {
      const { expiry: said } = request.params
      const longest = Math.floor(clock.now() / 1000) + sessionLifetime
      const expiry = typeof said === 'number' ? Math.max(session.expiry, Math.min(said, longest)) : longest
      live.save({ ...session, expiry })
      inBackground(channel.respond(request, true))
    },
    wc_sessionUpdate: update,
    wc_sessionEvent: event,
  }

  function update(session: Session, request: PeerRequest): void {
    const { topic, id, params } = request
    const namespaces = id < (updates.get(topic) ?? 0) ? undefined : readUpdate(params.namespaces)
    if (namespaces === undefined) return inBackground(channel.refuse(request, peerErrors.invalidUpdate))
    const updated = { ...session, namespaces: withDefaultChains(namespaces, session.namespaces) }
    updates.set(topic, id)
    live.save(updated)
    inBackground(channel.respond(request, true))
    tell(topic, (listener) => listener.updated(updated))
  }

  function event({ topic, namespaces }: Session, request: PeerRequest): void {
    const { id, params } = request
    const { event: told, chainId } = params
    const grant = typeof chainId === 'string' ? namespaces[namespaceOf(chainId)] : undefined
    const chain = grant?.chains.find((each) => each === chainId)
    const name = isRecord(told) ? grant?.events.find((each) => each === told.name) : undefined
    if (chain === undefined || name === undefined || !isRecord(told)) {
      return inBackground(channel.refuse(request, peerErrors.unauthorizedEvent))
    }
    const kind = `${topic} ${name}`
    // It was overtaken on the way; what it tells is not so any more.
    if (id < (events.get(kind) ?? 0)) return
    events.set(kind, id)
    tell(topic, (listener) => listener.event({ name, data: told.data, chainId: chain }))
  }

  return (request: PeerRequest): void => {
    const { topic, method } = request
    if (method === 'wc_sessionSettle') return settlements.get(topic)?.(request)
    const session = sessions.get(topic)
    if (session === undefined) return
    const handle = handlers[method]
    if (handle !== undefined) handle(session, request)
    else inBackground(channel.refuse(request, peerErrors.unsupportedMethod))
  }
}

function readUpdate(namespaces: unknown): SessionNamespaces | undefined {
  try {
    return readSessionNamespaces(namespaces)
  } catch (error) {
    if (isLatchkeyError(error, 'session/invalid')) return undefined
    throw error
  }
}

/** The chains that were current stay so where they are still granted. */
function withDefaultChains(namespaces: SessionNamespaces, before: SessionNamespaces): SessionNamespaces {
  const entries = Object.entries(namespaces).map(([name, grant]) => {
    const defaultChain = grant.chains.find((chain) => chain === before[name]?.defaultChain)
    return [name, { ...grant, defaultChain }] as const
  })
  return Object.fromEntries(entries)
}
