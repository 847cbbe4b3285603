import type { Clock } from '@latchkey/core'
import { isLatchkeyError } from '@latchkey/protocol'
import { bytesToHex, randomBytes } from './bytes.ts'
import { messageId } from './crypto.ts'
import { walletConnectError } from './errors.ts'
import { isRecord, type UnknownRecord } from './parse.ts'
import { inBackground, withResolvers } from './promise.ts'
import { relayAuthToken } from './relayAuth.ts'
import type { RelayWebSocket } from './relayLine.ts'
import { createRelayRoute } from './relayRoute.ts'
import { createRepeats, type Repeats } from './repeats.ts'
import { createRelaySocket, onBrowserWake, type RelaySocket } from './relaySocket.ts'
import type { Observable, RelayStatus } from './relayStatus.ts'
import { createSigner, type Signer } from './curves.ts'

export type RelayOptions = {
  /**
   * Where the relay listens: `wss://relay.example.org/relay`. Of several, the best first, the first that answers is used;
   * one that is out of reach or refuses is left at once for the next, and the first is tried again when the one in use
   * is lost or none answers. All listening goes along. The two sides meet only in one mailbox: several URLs must lead
   * to the same one (nodes of one relay, its names on two networks, relays that a bridge joins).
   */
  relayUrl: string | readonly [string, ...string[]]
  /** What the relay's operator knows the app by. */
  projectId: string
  /** Makes a websocket; by default the platform's. Node 20 has none: pass `(url) => new WebSocket(url)` with `ws`. */
  createSocket?: (url: string) => RelayWebSocket
}

/** How a message is published. */
export type Postage = { readonly ttl: number; readonly tag: number; readonly prompt: boolean }

export type SendOptions = {
  /** How long the relay is tried, in seconds; a minute by default. */
  within?: number
  /** Called each time the message leaves: from then on it may have arrived. */
  onSent?(): void
}

/** The mailbox service between the two sides. All of its promises reject with `relay/…` or `request/failed` errors. */
export type Relay = {
  readonly status: Observable<RelayStatus>
  /** Waits for an open connection, `within` seconds at most. */
  ready(within: number): Promise<void>
  /** Listens on a topic, now and after each reconnect. */
  subscribe(topic: string): Promise<void>
  /** Stops listening. */
  unsubscribe(topic: string): void
  publish(topic: string, message: string, postage: Postage, options?: SendOptions): Promise<void>
  /** Publishes a proposal and listens on its pairing topic, in one call. */
  proposeSession(pairingTopic: string, sessionProposal: string, options?: SendOptions): Promise<void>
  /** Publishes both halves of an approval and listens on the session topic, in one call. */
  approveSession(approval: SessionApproval, options?: SendOptions): Promise<void>
  /** Ends all listening and the connection. */
  close(): void
}

export type SessionApproval = {
  pairingTopic: string
  sessionTopic: string
  sessionProposalResponse: string
  sessionSettlementRequest: string
}

type RelayParts = RelayOptions & {
  /** The client's Ed25519 seed, asked when the relay is first dialled. */
  seed(): Uint8Array
  clock: Clock
  /** The time that tokens are issued at, in milliseconds. */
  now(): number
  /** Called with each message once, whatever the relay repeats. */
  onMessage(delivery: Delivery): void
}

/** A message as the relay hands it over. */
export type Delivery = {
  readonly topic: string
  readonly message: string
  readonly tag?: number
  /** When the relay took it, in milliseconds by its clock. */
  readonly publishedAt?: number
  /** What the publisher's page proves of itself, opaque; empty when it gave nothing. */
  readonly attestation?: string
  /** The SHA-256 of the message in hex. */
  readonly digest?: string
}

/** Where a relay is, without what is secret in its URL; of several, the first. */
export function originOf(relayUrl: RelayOptions['relayUrl']): string {
  return new URL(urlsOf(relayUrl)[0]).origin
}

function urlsOf(relayUrl: RelayOptions['relayUrl']): readonly [string, ...string[]] {
  return typeof relayUrl === 'string' ? [relayUrl] : relayUrl
}

/** Seconds. */
const patience = { request: 60, subscribe: 60 } as const

/** How many topics a relay takes at once. */
const batchSize = 500

/** How many messages of a topic are remembered for dropping repeats. */
const rememberedMessages = 500

/** Makes a client of a relay; nothing is dialled before the first use. */
export function createRelay(parts: RelayParts): Relay {
  const { clock } = parts
  const origin = originOf(parts.relayUrl)
  const subject = bytesToHex(randomBytes(32))
  let signing: Promise<Signer> | undefined
  const signer = (): Promise<Signer> => (signing ??= createSigner(parts.seed()))
  const topics = new Map<string, Repeats>()
  const subscribing = new Set<string>()
  let waiting = 0

  const socket = createRelaySocket({
    origin,
    route: createRelayRoute({
      urls: urlsOf(parts.relayUrl),
      addressOf: async (url, issuedAt) => addressOf(url, parts.projectId, await tokenFor(url, issuedAt)),
      now: parts.now,
    }),
    createSocket: parts.createSocket ?? ((url) => new WebSocket(url)),
    clock,
    onWake: onBrowserWake,
    isNeeded: () => topics.size > 0 || waiting > 0,
    onOpen: resubscribe,
    onPush,
  })

  async function tokenFor(audience: string, issuedAt: number): Promise<string> {
    return relayAuthToken({ signer: await signer(), audience, subject, issuedAt })
  }

  function resubscribe(): void {
    const lost = [...topics.keys()].filter((topic) => !subscribing.has(topic))
    for (let at = 0; at < lost.length; at += batchSize) {
      const batch = { topics: lost.slice(at, at + batchSize) }
      inBackground(socket.request('irn_batchSubscribe', batch, { within: patience.subscribe, once: true }))
    }
  }

  function onPush({ data }: UnknownRecord): void {
    const delivery = readDelivery(data)
    if (delivery === undefined) return
    const seen = topics.get(delivery.topic)
    if (seen !== undefined && !seen.has(delivery.digest)) parts.onMessage(delivery)
  }

  function listenOn(topic: string): void {
    if (!topics.has(topic)) topics.set(topic, createRepeats(rememberedMessages))
  }

  async function send(method: string, params: object, listenTo: string | undefined, options: SendOptions = {}) {
    const onSent = (): void => {
      // Not before: on the first opening the call itself subscribes, and only later openings have to.
      if (listenTo !== undefined) listenOn(listenTo)
      options.onSent?.()
    }
    await socket.request(method, params, { within: options.within ?? patience.request, onSent })
  }

  const relay: Relay = {
    status: socket.status,
    async ready(within) {
      waiting += 1
      let isOpen = false
      try {
        await untilOpen(socket, clock, origin, within)
        isOpen = true
      } finally {
        waiting -= 1
        // An open line is what the caller waited for; only he knows when he is through with it.
        if (!isOpen) socket.settle()
      }
    },
    async subscribe(topic) {
      listenOn(topic)
      subscribing.add(topic)
      try {
        await socket.request('irn_subscribe', { topic }, { within: patience.subscribe })
      } finally {
        subscribing.delete(topic)
      }
    },
    unsubscribe(topic) {
      if (!topics.delete(topic)) return
      const id = messageId(topic + subject)
      if (socket.status.get().state === 'open') {
        inBackground(socket.request('irn_unsubscribe', { topic, id }, { within: 10, once: true }))
      } else socket.settle()
    },
    publish: (topic, message, postage, options) =>
      send('irn_publish', { topic, message, ...postage }, undefined, options),
    proposeSession: (pairingTopic, sessionProposal, options) =>
      orPlainly(
        send('wc_proposeSession', { pairingTopic, sessionProposal }, pairingTopic, options),
        ({ proposePlainly }) => proposePlainly(relay, pairingTopic, sessionProposal, options),
      ),
    approveSession: (approval, options) =>
      orPlainly(send('wc_approveSession', approval, approval.sessionTopic, options), ({ approvePlainly }) =>
        approvePlainly(relay, approval, options),
      ),
    close() {
      topics.clear()
      socket.close()
    },
  }
  return relay
}

/** Does by single messages what a relay has no call for; some say so, others find the whole request invalid. */
async function orPlainly(
  called: Promise<void>,
  plainly: (words: typeof import('./plainSession.ts')) => Promise<void>,
): Promise<void> {
  try {
    await called
  } catch (error) {
    const code = isLatchkeyError(error, 'request/failed') ? error.context.code : undefined
    if (code !== -32_601 && code !== -32_600) throw error
    await plainly(await import('./plainSession.ts'))
  }
}

function readDelivery(data: unknown): (Delivery & { digest: string }) | undefined {
  if (!isRecord(data)) return undefined
  const { topic, message, tag, publishedAt, attestation } = data
  if (typeof topic !== 'string' || typeof message !== 'string') return undefined
  return {
    topic,
    message,
    digest: messageId(message),
    tag: typeof tag === 'number' ? tag : undefined,
    publishedAt: typeof publishedAt === 'number' ? publishedAt : undefined,
    attestation: typeof attestation === 'string' ? attestation : undefined,
  }
}

async function untilOpen({ open, status }: RelaySocket, clock: Clock, origin: string, within: number): Promise<void> {
  open()
  const { promise, resolve, reject } = withResolvers<void>()
  const look = (now: RelayStatus): void => {
    if (now.state === 'open') resolve()
    if (now.state === 'refused') reject(walletConnectError('relay/refused', { reason: now.reason }))
  }
  const stop = status.subscribe(look)
  const cancel = clock.after(within * 1000, () => reject(walletConnectError('relay/unreachable', { origin })))
  look(status.get())
  try {
    await promise
  } finally {
    stop()
    cancel()
  }
}

function addressOf(relayUrl: string, projectId: string, token: string): string {
  const url = new URL(relayUrl)
  url.searchParams.set('auth', token)
  url.searchParams.set('projectId', projectId)
  url.searchParams.set('useOnCloseEvent', 'true')
  return url.href
}
