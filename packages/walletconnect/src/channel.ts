import type { Clock } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import { randomInteger } from './bytes.ts'
import { open, readEnvelope, seal } from './crypto.ts'
import type { Keyring } from './keyring.ts'
import { isMethod, messageKinds, unknownMethod, type Method, type PeerError } from './messages.ts'
import { isRecord, parseJson, shortText, type UnknownRecord } from './parse.ts'
import { inBackground, withResolvers, type Resolvable } from './promise.ts'
import type { Postage, Relay, SendOptions } from './relay.ts'

/** A request of the other side. */
export type PeerRequest = {
  readonly topic: string
  readonly id: number
  readonly method: Method
  readonly params: UnknownRecord
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
}

/** JSON-RPC between the two sides, sealed, over the topics of a relay. */
export type Channel = {
  request(topic: string, method: Method, params: object, options?: ExchangeOptions): Exchange
  /** Answers a request, in the background of a relay that may be away; `within` seconds. */
  respond(request: ResponseTo, result: unknown, within?: number): Promise<void>
  /** Answers a request with an error. `tag` where a method has its own for that. */
  refuse(request: ResponseTo, error: PeerError, tag?: number): Promise<void>
  /** Sends without waiting for an answer: events and deletions get none. */
  tell(topic: string, method: Method, params: object, within?: number): Promise<void>
  /** Takes a message of the relay. What cannot be opened, read or used is dropped without a word. */
  receive(topic: string, message: string): void
  /** Seals an answer without sending it. */
  sealResult(topic: string, id: number, result: unknown): string
  /** Seals a request without sending it, and tells its id. */
  sealRequest(topic: string, method: Method, params: object): { id: number; message: string }
  /** Ends all exchanges on a topic, which then reject with `error`. */
  interrupt(topic: string, error: LatchkeyError): void
}

type ResponseTo = Pick<PeerRequest, 'topic' | 'id' | 'method'>

type Waiting = Resolvable<unknown> & { readonly topic: string; readonly method: Method; cancel(): void }

type ChannelParts = { relay: Relay; keyring: Keyring; clock: Clock; onRequest(request: PeerRequest): void }

/** How many ids of the other side are remembered for dropping repeats. */
const rememberedIds = 1000

export function createChannel({ relay, keyring, clock, onRequest }: ChannelParts): Channel {
  const waiting = new Map<number, Waiting>()
  const handled = new Set<string>()
  let lastId = 0

  /** Sixteen digits, so that any JSON parser keeps them; never the same twice. */
  function nextId(): number {
    lastId = Math.max(Math.floor(clock.now()) * 1000 + randomInteger(1000), lastId + 1)
    return lastId
  }

  function sealed(topic: string, payload: object): string {
    const key = keyring.get(topic)
    if (key === undefined) throw new LatchkeyError('session/not-found', { topic })
    return seal(JSON.stringify(payload), key)
  }

  function sealRequest(topic: string, method: Method, params: object): { id: number; message: string } {
    const id = nextId()
    return { id, message: sealed(topic, { id, jsonrpc: '2.0', method, params }) }
  }

  function forget(id: number): Waiting | undefined {
    const exchange = waiting.get(id)
    waiting.delete(id)
    exchange?.cancel()
    return exchange
  }

  function request(topic: string, method: Method, params: object, options: ExchangeOptions = {}): Exchange {
    const kind = messageKinds[method]
    const within = options.within ?? kind.ttl
    const { id, message } = sealRequest(topic, method, params)
    const outcome = withResolvers<unknown>()
    // Whoever only sends need not wait for it.
    inBackground(outcome.promise)
    const cancel = clock.after(within * 1000, () =>
      forget(id)?.reject(new LatchkeyError('request/expired', { method })),
    )
    waiting.set(id, { ...outcome, topic, method, cancel })

    let sent = false
    const onSent = (): void => {
      sent = true
    }
    const postage: Postage = { ttl: within, tag: kind.requestTag, prompt: kind.prompt }
    const publish = options.publish ?? ((text, sending) => relay.publish(topic, text, postage, sending))
    const published = publish(message, { onSent })
    published.catch((error: unknown) => {
      // A message that left may have arrived though the relay fell silent; then only the peer or the time can tell.
      if (!sent || (error instanceof LatchkeyError && error.code === 'request/failed')) forget(id)?.reject(error)
    })
    return { id, published, answer: outcome.promise, forget: () => void forget(id) }
  }

  function answered(topic: string, id: number, payload: UnknownRecord): void {
    const exchange = waiting.get(id)
    if (exchange?.topic !== topic) return
    forget(id)
    if (!isRecord(payload.error)) return exchange.resolve(payload.result)
    const { code, message } = payload.error
    exchange.reject(
      new LatchkeyError('request/failed', {
        method: exchange.method,
        code: typeof code === 'number' ? code : undefined,
        reason: shortText(message, 'no reason given'),
      }),
    )
  }

  function asked(topic: string, id: number, method: string, params: unknown): void {
    if (isRepeat(`${topic} ${id}`)) return
    if (isMethod(method) && isRecord(params)) return onRequest({ topic, id, method, params })
    const error = { code: 10_001, message: 'Unsupported wc_ method' }
    const postage = { ttl: unknownMethod.ttl, tag: unknownMethod.responseTag, prompt: false }
    inBackground(relay.publish(topic, sealed(topic, { id, jsonrpc: '2.0', error }), postage))
  }

  function isRepeat(mark: string): boolean {
    if (handled.has(mark)) return true
    handled.add(mark)
    const [oldest] = handled
    if (handled.size > rememberedIds && oldest !== undefined) handled.delete(oldest)
    return false
  }

  async function send(topic: string, message: string, postage: Postage, within?: number): Promise<void> {
    await relay.publish(topic, message, postage, { within })
  }

  return {
    request,
    sealRequest,
    sealResult: (topic, id, result) => sealed(topic, { id, jsonrpc: '2.0', result }),
    async respond({ topic, id, method }, result, within) {
      const { ttl, responseTag: tag } = messageKinds[method]
      await send(topic, sealed(topic, { id, jsonrpc: '2.0', result }), { ttl, tag, prompt: false }, within)
    },
    async refuse({ topic, id, method }, { code, message }, tag = messageKinds[method].responseTag) {
      const { ttl } = messageKinds[method]
      await send(topic, sealed(topic, { id, jsonrpc: '2.0', error: { code, message } }), { ttl, tag, prompt: false })
    },
    async tell(topic, method, params, within) {
      const { ttl, requestTag: tag, prompt } = messageKinds[method]
      await send(topic, sealRequest(topic, method, params).message, { ttl, tag, prompt }, within)
    },
    receive(topic, message) {
      const key = keyring.get(topic)
      const envelope = readEnvelope(message)
      // Type 1 answers a one-click sign-in, which nobody here has asked for.
      if (key === undefined || envelope?.type !== 0) return
      const payload = parseJson(open(envelope, key) ?? '')
      if (!isRecord(payload)) return
      const { id, method, params } = payload
      if (typeof id !== 'number' || !Number.isSafeInteger(id)) return
      if (typeof method === 'string') asked(topic, id, method, params)
      else if (isRecord(payload.error) || 'result' in payload) answered(topic, id, payload)
    },
    interrupt(topic, error) {
      for (const [id, exchange] of waiting) if (exchange.topic === topic) forget(id)?.reject(error)
    },
  }
}
