import type { Connection, ConnectRequest, Reach } from '@latchkey/core'
import { LatchkeyError, namespaces } from '@latchkey/protocol'
import { createConnection, type SessionConnection } from './connection.ts'
import { createDapp, type Dapp, type DappOptions } from './dapp.ts'
import { walletConnectError } from './errors.ts'
import { speaksEip1193 } from './namespaces.ts'
import type { createNativePart } from './nativePart.ts'
import { inBackground } from './promise.ts'
import { originOf } from './relay.ts'
import type { RelayStatus } from './relayStatus.ts'
import type { Session } from './session.ts'

/** What a connector does once its cryptography is loaded. */
export type Client = {
  connect(request: ConnectRequest): Promise<readonly [Connection, ...Connection[]]>
  restore(request: Omit<ConnectRequest, 'onUri'>): Promise<readonly Connection[]>
  resume(request: Pick<ConnectRequest, 'networks'>): Promise<readonly Connection[]>
  disconnect(): Promise<void>
}

type Networks = ConnectRequest['networks']
type Native = typeof createNativePart | undefined

/** Makes the dapp side speak as a connector that holds one session at a time. */
export function createClient(options: DappOptions, onReach: (reach: Reach) => void): Client {
  const dapp = createDapp(options)
  let current: readonly SessionConnection[] = []
  /** What the current connections are made of. */
  let made = ''
  /** What waits for a wallet that an earlier page had asked; a new consent ends it. */
  const waiting = new AbortController()
  let resuming: Promise<Session | undefined> | undefined
  followReach(dapp, originOf(options.relayUrl), onReach)

  /** The connections of a session; those that stand already, so that a page that takes them up again follows nothing twice. */
  function connectionsOf(session: Session, networks: Networks, native: Native): readonly SessionConnection[] {
    const before = made
    const chains = networks.map(({ caipNetworkId }) => caipNetworkId)
    made = JSON.stringify([session.topic, Object.keys(session.namespaces), chains])
    if (made === before && current.every(({ isOver }) => !isOver)) return current
    return namespaces.flatMap((namespace) => {
      const offered = networks.filter(({ chainNamespace }) => chainNamespace === namespace)
      if (offered.length === 0) return []
      return createConnection(dapp, session, namespace, offered, native) ?? []
    })
  }

  /** Ends all sessions but one. What the new one does not grant any more is told to whoever used it. */
  function replaceBy(session: Session, next: readonly SessionConnection[]): void {
    for (const old of current) if (!next.some(({ namespace }) => namespace === old.namespace)) old.end()
    current = next
    for (const { topic } of dapp.restore()) if (topic !== session.topic) inBackground(dapp.disconnect(topic))
  }

  return {
    async connect(request) {
      const { networks, signal, onUri, signIn } = request
      const native = await nativeFor(networks)
      const oneClick = signIn && (await import('./signIn/dappSide.ts')).oneClickOf(signIn, request)
      const session = await dapp.connect({ networks, signal, onUri, ...oneClick?.asked })
      const granted = connectionsOf(session, networks, native)
      const [first, ...others] = granted
      if (first === undefined) {
        inBackground(dapp.disconnect(session.topic))
        throw new LatchkeyError('session/invalid', { reason: 'it has no account on any network of this app' })
      }
      waiting.abort()
      replaceBy(session, granted)
      oneClick?.tell()
      return [first, ...others]
    },
    async restore({ networks, signal }) {
      const native = await nativeFor(networks)
      if (signal.aborted) throw new LatchkeyError('connection/aborted', {})
      const session = dapp.restore().at(-1)
      if (session === undefined) return []
      current = connectionsOf(session, networks, native)
      return current
    },
    async resume({ networks }) {
      const native = await nativeFor(networks)
      resuming ??= dapp.resume(waiting.signal)
      const session = await resuming
      if (session === undefined) return []
      const granted = connectionsOf(session, networks, native)
      replaceBy(session, granted)
      return granted
    },
    async disconnect() {
      current = []
      await Promise.all(dapp.restore().map(({ topic }) => dapp.disconnect(topic)))
    },
  }
}

/** What an app needs for networks that do not speak EIP-1193: before it asks, so that nothing a wallet tells comes in between. */
async function nativeFor(networks: Networks): Promise<Native> {
  if (networks.every(({ chainNamespace }) => speaksEip1193(chainNamespace))) return undefined
  return (await import('./nativePart.ts')).createNativePart
}

function followReach({ status }: Dapp, origin: string, onReach: (reach: Reach) => void): void {
  let isMissed = false
  status.subscribe((next) => {
    // Between two attempts nothing has changed for whoever waits.
    if (isMissed && next.state === 'connecting') return
    isMissed = next.state === 'waiting' || next.state === 'refused'
    onReach(reachOf(next, origin))
  })
}

function reachOf(status: RelayStatus, origin: string): Reach {
  switch (status.state) {
    case 'idle':
      return { state: 'idle' }
    case 'connecting':
      return { state: 'reaching' }
    case 'open':
      return { state: 'ready' }
    case 'waiting':
      return { state: 'unreachable', error: walletConnectError('relay/unreachable', { origin }) }
    case 'refused':
      return { state: 'unreachable', error: walletConnectError('relay/refused', { reason: status.reason }) }
  }
}
