import type { Clock } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { walletConnectError } from './errors.ts'
import type { Keyring } from './keyring.ts'
import { isMethod, messageKinds, peerErrors, unknownMethod, type Method, type PeerError } from './messages.ts'
import { isRecord, type UnknownRecord } from './parse.ts'
import { createPayloads, readPayload, type Payload } from './payloads.ts'
import { createRepeats } from './repeats.ts'
import { inBackground, withResolvers, type Resolvable } from './promise.ts'
import type { Delivery, Relay, SendOptions } from './relay.ts'
import { readPlain, type Links } from './signIn/linkMode.ts'

/** A request of the other side. */
export type PeerRequest = {
  readonly topic: string
  readonly id: number
  readonly method: Method
  readonly params: UnknownRecord
  /** When the relay took it, in milliseconds by its clock. */
  readonly publishedAt?: number
  /** What the relay says that the other side's page proves of itself, opaque. */
  readonly attestation?: string
  /** The SHA-256 of the sealed message in hex, by which an attestation names it. */
  readonly digest?: string
  /** The universal link to answer to, when it came by a link. */
  readonly link?: string
}

/** A request of this side under way. */
export type Exchange = {
  readonly id: number
  /** Resolves when the relay has the message. */
  readonly published: Promise<void>
  /**
   * The peer's result. Rejects with `request/failed` (the peer's error, or a message the relay will not take),
   * `request/expired`, or a `relay/…` error when the message never left.
   */
  readonly answer: Promise<unknown>
  /** Stops waiting; the answer then never settles. */
  forget(): void
}

export type ExchangeOptions = {
  /** How long an answer is waited for, in seconds; the relay keeps the message as long. The method's own TTL by default. */
  within?: number
  /** Puts the sealed message on the way, where that is not a plain publish. */
  publish?(message: string, options: SendOptions): Promise<void>
  /** Called when the message leaves: from then on it may have arrived. */
  onSent?(): void
}

/** JSON-RPC between the two sides, sealed, over the topics of a relay. */
export type Channel = {
  request(topic: string, method: Method, params: object, options?: ExchangeOptions): Exchange
  /** Waits for the answer to a request of an earlier page, as long as is said, in seconds. */
  expect(request: ResponseTo, within: number): Promise<unknown>
  /** Answers a request. */
  respond(request: ResponseTo, result: unknown): Promise<void>
  /** Answers a request with an error. `tag` where a method has its own for that. */
  refuse(request: ResponseTo, error: PeerError, tag?: number): Promise<void>
  /** Sends without waiting for an answer: events and deletions get none. */
  tell(topic: string, method: Method, params: object): Promise<void>
  /** Takes a message of the relay. What cannot be opened, read or used is dropped without a word. */
  receive(delivery: Delivery): void
  /** Takes a message of a link, which is not sealed; `link` leads back to its sender. */
  receivePlain(topic: string, message: string, link: string): void
  /** Hands what arrives on a topic to `take`, as it is, until the returned function is called. */
  intercept(topic: string, take: (message: string) => void): () => void
  /** Seals an answer without sending it. */
  sealResult(topic: string, id: number, result: unknown): string
  /** Ends all exchanges on a topic, or on every one, which then reject with `error`. */
  interrupt(error: LatchkeyError, topic?: string): void
}

type ResponseTo = Pick<PeerRequest, 'topic' | 'id' | 'method'>

/** An answer to a request of an earlier time. */
export type StrayAnswer = { readonly topic: string } & Answer

type Answer = Exclude<Payload, { kind: 'request' }>

/** A message of the relay, or of a link. */
type Arrival = Delivery & Pick<PeerRequest, 'link'>

type Waiting = Resolvable<unknown> & { readonly topic: string; readonly method: Method; cancel(): void }

type ChannelParts = {
  relay: Relay
  keyring: Keyring
  clock: Clock
  links?: Links
  onRequest(request: PeerRequest): void
  /** Called with an answer that nobody waits for: it comes late, or to a page that was loaded again. */
  onStray?(answer: StrayAnswer): void
}

/** How many ids of the other side are remembered for dropping repeats. */
const rememberedIds = 1000

export function createChannel({ relay, keyring, clock, links, onRequest, onStray }: ChannelParts): Channel {
  const payloads = createPayloads(keyring, clock, links)
  const waiting = new Map<number, Waiting>()
  const handled = createRepeats(rememberedIds)
  const intercepted = new Map<string, (message: string) => void>()

  function forget(id: number): Waiting | undefined {
    const exchange = waiting.get(id)
    waiting.delete(id)
    exchange?.cancel()
    return exchange
  }

  function request(topic: string, method: Method, params: object, options: ExchangeOptions = {}): Exchange {
    const { ttl, requestTag: tag, prompt } = messageKinds[method]
    const within = options.within ?? ttl
    const { id, message } = payloads.request(topic, method, params)
    const answer = expect({ topic, id, method }, within)

    let timesSent = 0
    const onSent = (): void => {
      timesSent += 1
      if (timesSent === 1) options.onSent?.()
    }
    const publish =
      options.publish ?? ((text, sending) => relay.publish(topic, text, { ttl: within, tag, prompt }, sending))
    const published = publish(message, { onSent })
    published.catch((error: unknown) => {
      // A message that left may have arrived though the relay fell silent, or took the first copy and refused the
      // second; then only the peer or the time can tell.
      const isRefused = timesSent === 1 && isLatchkeyError(error, 'request/failed')
      if (timesSent === 0 || isRefused) forget(id)?.reject(error)
    })
    return { id, published, answer, forget: () => void forget(id) }
  }

  function expect({ topic, id, method }: ResponseTo, within: number): Promise<unknown> {
    const outcome = withResolvers<unknown>()
    // Whoever only sends need not wait for it.
    inBackground(outcome.promise)
    const late = (): void => forget(id)?.reject(walletConnectError('request/expired', { method }))
    waiting.set(id, { ...outcome, topic, method, cancel: clock.after(within * 1000, late) })
    return outcome.promise
  }

  function answered(topic: string, payload: Answer): void {
    // Only the topic's peer may answer: ids can be guessed.
    if (waiting.get(payload.id)?.topic !== topic) return onStray?.({ topic, ...payload })
    const exchange = forget(payload.id)
    if (payload.kind === 'result') return exchange?.resolve(payload.result)
    const { code, reason } = payload
    exchange?.reject(new LatchkeyError('request/failed', { method: exchange.method, code, reason }))
  }

  function asked(arrival: Arrival, { id, method, params }: Extract<Payload, { kind: 'request' }>): void {
    const { topic, publishedAt, attestation, digest, link } = arrival
    if (handled.has(`${topic} ${id}`)) return
    if (isMethod(method) && isRecord(params)) {
      return onRequest({ topic, id, method, params, publishedAt, attestation, digest, link })
    }
    const { ttl, responseTag: tag } = unknownMethod
    const refusal = payloads.error(topic, id, peerErrors.unsupportedMethod)
    inBackground(relay.publish(topic, refusal, { ttl, tag, prompt: false }))
  }

  function took(arrival: Arrival, payload: Payload | undefined): void {
    if (payload?.kind === 'request') asked(arrival, payload)
    else if (payload !== undefined) answered(arrival.topic, payload)
  }

  return {
    request,
    expect,
    sealResult: payloads.result,
    async respond({ topic, id, method }, result) {
      const { ttl, responseTag: tag } = messageKinds[method]
      await relay.publish(topic, payloads.result(topic, id, result), { ttl, tag, prompt: false })
    },
    async refuse({ topic, id, method }, error, tag = messageKinds[method].responseTag) {
      const { ttl } = messageKinds[method]
      await relay.publish(topic, payloads.error(topic, id, error), { ttl, tag, prompt: false })
    },
    async tell(topic, method, params) {
      const { ttl, requestTag: tag, prompt } = messageKinds[method]
      await relay.publish(topic, payloads.request(topic, method, params).message, { ttl, tag, prompt })
    },
    intercept(topic, take) {
      intercepted.set(topic, take)
      return () => intercepted.delete(topic)
    },
    receive(delivery) {
      const { topic, message } = delivery
      const take = intercepted.get(topic)
      if (take !== undefined) take(message)
      else took(delivery, payloads.read(topic, message))
    },
    receivePlain(topic, message, link) {
      const take = intercepted.get(topic)
      if (take !== undefined) take(message)
      else took({ topic, message, link }, readPayload(readPlain(message)))
    },
    interrupt(error, topic) {
      for (const [id, exchange] of waiting) {
        if (topic === undefined || exchange.topic === topic) forget(id)?.reject(error)
      }
    },
  }
}
