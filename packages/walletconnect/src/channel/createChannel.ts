import type { Clock } from '@latchkey/core'
import { isLatchkeyError } from '@latchkey/protocol'
import type { Keyring } from '../crypto/keyring.ts'
import { parsePlainEnvelope } from '../crypto/plainEnvelope.ts'
import { createSeenIds } from '../primitives/seenIds.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import type { Relay, RelayMessage } from '../relay/relay.ts'
import type { Channel, Exchange, ExchangeOptions, PeerRequest, UnexpectedResponse } from './channel.ts'
import type { LinkRoutes } from './linkMode/linkRoutes.ts'
import { parsePayload, type Payload } from './payload.ts'
import { createPayloadCodec, type PayloadCodec } from './payloadCodec.ts'
import { peerErrors } from './peerError.ts'
import { createPendingExchanges, type PendingExchanges } from './pendingExchanges.ts'
import { isSignMethod, signMethods, unknownMethod, type SignMethod } from './signMethod.ts'

type ChannelDependencies = {
  relay: Relay
  keyring: Keyring
  clock: Clock
  links?: LinkRoutes
  onRequest(request: PeerRequest): void
  /** Called with a response without a pending request: it is late, or belongs to a request from before a reload. */
  onUnexpectedResponse?(response: UnexpectedResponse): void
}

/** A message from the relay, or from a link. */
type IncomingMessage = RelayMessage & Pick<PeerRequest, 'link'>

/** The number of request ids of the other side that are remembered for dropping duplicates. */
const rememberedIds = 1000

/** Creates the channel of one side over a relay. */
export function createChannel(dependencies: ChannelDependencies): Channel {
  const { relay, keyring, clock, links } = dependencies
  const codec = createPayloadCodec(keyring, clock, links)
  const exchanges = createPendingExchanges(clock)
  const receivePayload = createPayloadReceiver(dependencies, codec, exchanges)
  const interceptors = new Map<string, (message: string) => void>()

  return {
    request: (topic, method, params, options = {}) =>
      startExchange({ relay, codec, exchanges }, { topic, method, params }, options),
    awaitResponse: exchanges.add,
    formatResult: codec.formatResult,
    async respond({ topic, id, method }, result) {
      const { ttl, responseTag: tag } = signMethods[method]
      await relay.publish(topic, codec.formatResult(topic, id, result), { ttl, tag, prompt: false })
    },
    async reject({ topic, id, method }, error, settings = signMethods[method]) {
      const { responseTag: tag, ttl } = settings
      await relay.publish(topic, codec.formatError(topic, id, error), { ttl, tag, prompt: false })
    },
    async notify(topic, method, params, id) {
      const { ttl, requestTag: tag, prompt } = signMethods[method]
      await relay.publish(topic, codec.formatRequest(topic, method, params, id).message, { ttl, tag, prompt })
    },
    intercept(topic, handler) {
      interceptors.set(topic, handler)
      return () => interceptors.delete(topic)
    },
    receive(incoming) {
      const { topic, message } = incoming
      const intercept = interceptors.get(topic)
      if (intercept !== undefined) intercept(message)
      else receivePayload(incoming, codec.parse(topic, message))
    },
    receivePlain(topic, message, link) {
      const intercept = interceptors.get(topic)
      if (intercept !== undefined) intercept(message)
      else receivePayload({ topic, message, link }, parsePayload(parsePlainEnvelope(message)))
    },
    nextId: codec.nextId,
    interrupt: exchanges.interrupt,
  }
}

type ExchangeDependencies = { relay: Relay; codec: PayloadCodec; exchanges: PendingExchanges }
type OutgoingRequest = { topic: string; method: SignMethod; params: object }

function startExchange(
  { relay, codec, exchanges }: ExchangeDependencies,
  { topic, method, params }: OutgoingRequest,
  options: ExchangeOptions,
): Exchange {
  const { ttl, requestTag: tag, prompt } = signMethods[method]
  const timeoutSeconds = options.timeoutSeconds ?? ttl
  const { id, message } = codec.formatRequest(topic, method, params, options.id)
  const response = exchanges.add({ topic, id, method }, timeoutSeconds)

  let timesSent = 0
  const onSent = (): void => {
    timesSent += 1
    if (timesSent === 1) options.onSent?.()
  }
  const publish =
    options.publish ?? ((text, sending) => relay.publish(topic, text, { ttl: timeoutSeconds, tag, prompt }, sending))
  const published = publish(message, { onSent })
  published.catch((error: unknown) => {
    // A sent message may have arrived even if the relay fell silent, or accepted the first copy and refused the second.
    // Then only a message of the peer or the timeout decides.
    const isRefused = timesSent === 1 && isLatchkeyError(error, 'request/failed')
    if (timesSent === 0 || isRefused) exchanges.reject({ topic, id }, error)
  })
  return { id, published, response, cancel: () => exchanges.remove({ topic, id }) }
}

function createPayloadReceiver(
  { relay, onRequest, onUnexpectedResponse }: ChannelDependencies,
  codec: PayloadCodec,
  exchanges: PendingExchanges,
): (incoming: IncomingMessage, payload: Payload | undefined) => void {
  const handledIds = createSeenIds(rememberedIds)

  function receiveRequest(incoming: IncomingMessage, { id, method, params }: Extract<Payload, { kind: 'request' }>) {
    const { topic, publishedAt, attestation, digest, link } = incoming
    if (handledIds.checkAndAdd(`${topic} ${id}`)) return
    if (isSignMethod(method) && isUnknownRecord(params)) {
      return onRequest({ topic, id, method, params, publishedAt, attestation, digest, link })
    }
    const { ttl, responseTag: tag } = unknownMethod
    const error = codec.formatError(topic, id, peerErrors.unsupportedMethod)
    runInBackground(relay.publish(topic, error, { ttl, tag, prompt: false }))
  }

  return (incoming, payload) => {
    if (payload === undefined) return
    if (payload.kind === 'request') return receiveRequest(incoming, payload)
    const { topic } = incoming
    if (!exchanges.settle(topic, payload)) onUnexpectedResponse?.({ topic, ...payload })
  }
}
