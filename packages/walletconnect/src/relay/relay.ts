import type { Observable } from '../primitives/observable.ts'
import type { RelayWebSocket } from './relayConnection.ts'
import type { RelayStatus } from './relayStatus.ts'

export type RelayOptions = {
  /**
   * The relay's URL: `wss://relay.example.org/relay`. Given several, best first, the client uses the first that responds.
   * It leaves a relay that is unreachable or refuses for the next one at once, with all subscriptions, and tries the
   * first again when the current one is lost or none responds. Both sides must share one mailbox: several URLs must lead
   * to the same one (nodes of one relay, its names on two networks, relays that a bridge joins).
   */
  relayUrl: string | readonly [string, ...string[]]
  /** The app's id at the relay's operator. */
  projectId: string
  /** Creates a websocket. Defaults to the platform's. Node 20 has none: pass `(url) => new WebSocket(url)` from `ws`. */
  createSocket?: (url: string) => RelayWebSocket
}

/** The properties of a publish: TTL in seconds, message tag, and whether the message may wake a phone. */
export type PublishOptions = { readonly ttl: number; readonly tag: number; readonly prompt: boolean }

export type SendOptions = {
  /** Timeout of all attempts, in seconds. Defaults to a minute. */
  timeoutSeconds?: number
  /** Called each time the message is sent: from then on it may have arrived. */
  onSent?(): void
}

/** The mailbox service between the two sides. All its promises reject with `relay/…` or `request/failed` errors. */
export type Relay = {
  readonly status: Observable<RelayStatus>
  /** Waits for an open connection. */
  ready(timeoutSeconds: number): Promise<void>
  /** Subscribes to a topic, now and after each reconnect. */
  subscribe(topic: string): Promise<void>
  unsubscribe(topic: string): void
  publish(topic: string, message: string, properties: PublishOptions, options?: SendOptions): Promise<void>
  /** Publishes a proposal and subscribes to its pairing topic, in one call. */
  proposeSession(pairingTopic: string, sessionProposal: string, options?: SendOptions): Promise<void>
  /** Publishes both messages of an approval and subscribes to the session topic, in one call. */
  approveSession(approval: SessionApproval, options?: SendOptions): Promise<void>
  /** Ends all subscriptions and the connection. */
  close(): void
}

export type SessionApproval = {
  pairingTopic: string
  sessionTopic: string
  sessionProposalResponse: string
  sessionSettlementRequest: string
}

/** A message that the relay delivered. */
export type RelayMessage = {
  readonly topic: string
  readonly message: string
  readonly tag?: number
  /** The time at which the relay accepted it, in milliseconds by the relay's clock. */
  readonly publishedAt?: number
  /** The relay's attestation of the publisher's origin, an opaque token. Empty if the publisher gave none. */
  readonly attestation?: string
  /** The SHA-256 of the message in hex. */
  readonly digest?: string
}

/** Returns the origin of a relay, without the secrets in its URL. Of several relays, that of the first. */
export function relayOrigin(relayUrl: RelayOptions['relayUrl']): string {
  return new URL(listRelayUrls(relayUrl)[0]).origin
}

/** Returns the URLs of an option that is one URL or several. */
export function listRelayUrls(relayUrl: RelayOptions['relayUrl']): readonly [string, ...string[]] {
  return typeof relayUrl === 'string' ? [relayUrl] : relayUrl
}
