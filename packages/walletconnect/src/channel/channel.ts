import type { LatchkeyError } from '@latchkey/protocol'
import type { UnknownRecord } from '../primitives/unknownRecord.ts'
import type { RelayMessage, SendOptions } from '../relay/relay.ts'
import type { Payload } from './payload.ts'
import type { PeerError } from './peerError.ts'
import type { ResponseSettings, SignMethod } from './signMethod.ts'

/** A request from the other side. */
export type PeerRequest = {
  readonly topic: string
  readonly id: number
  readonly method: SignMethod
  readonly params: UnknownRecord
  /** The time at which the relay accepted it, in milliseconds by the relay's clock. */
  readonly publishedAt?: number
  /** The relay's attestation of the sender's origin, an opaque token. */
  readonly attestation?: string
  /** The SHA-256 of the sealed message in hex, by which an attestation refers to it. */
  readonly digest?: string
  /** The universal link for the response, if the request came by a link. */
  readonly link?: string
}

/** A pending request of this side. */
export type Exchange = {
  readonly id: number
  /** Resolves when the relay has the message. */
  readonly published: Promise<void>
  /**
   * The peer's result. Rejects with `request/failed` (the peer's error, or a message that the relay refuses),
   * `request/expired`, or a `relay/…` error if the message was never sent.
   */
  readonly response: Promise<unknown>
  /** Stops waiting. `response` then never settles. */
  cancel(): void
}

export type ExchangeOptions = {
  /** Timeout of the response and TTL of the message, in seconds. Defaults to the method's TTL. */
  timeoutSeconds?: number
  /** Sends the sealed message. Defaults to a plain publish. */
  publish?(message: string, options: SendOptions): Promise<void>
  /** The id of the request, from `nextId`. Defaults to the next one. */
  id?: number
  /** Called when the message is sent: from then on it may have arrived. */
  onSent?(): void
}

/** JSON-RPC between the two sides, end-to-end encrypted, over the topics of a relay. */
export type Channel = {
  request(topic: string, method: SignMethod, params: object, options?: ExchangeOptions): Exchange
  /** Waits for the response to a request of an earlier page. */
  awaitResponse(request: ResponseTarget, timeoutSeconds: number): Promise<unknown>
  respond(request: ResponseTarget, result: unknown): Promise<void>
  /** Responds with an error. `settings` replace those of the method's responses. */
  reject(request: ResponseTarget, error: PeerError, settings?: ResponseSettings): Promise<void>
  /** Sends a request without waiting for a response: events and deletions get none. */
  notify(topic: string, method: SignMethod, params: object, id?: number): Promise<void>
  /** Creates the id of a request: higher than earlier ones and than `after`. */
  nextId(after?: number): number
  /** Takes a message from the relay. Drops messages that cannot be decrypted or parsed. */
  receive(message: RelayMessage): void
  /** Takes an unencrypted message from a link. `link` is the sender's. */
  receivePlain(topic: string, message: string, link: string): void
  /** Passes the raw messages of a topic to `handler`, until the returned function is called. */
  intercept(topic: string, handler: (message: string) => void): () => void
  /** Formats and seals a response without sending it. */
  formatResult(topic: string, id: number, result: unknown): string
  /** Rejects all exchanges with `error`, or those on a topic. */
  interrupt(error: LatchkeyError, topic?: string): void
}

/** Identifies the request that a response belongs to. */
export type ResponseTarget = Pick<PeerRequest, 'topic' | 'id' | 'method'>

/** A response without a pending request: it is late, or belongs to a request from before a reload. */
export type UnexpectedResponse = { readonly topic: string } & ResponsePayload

export type ResponsePayload = Exclude<Payload, { kind: 'request' }>
