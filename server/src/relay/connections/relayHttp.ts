import type { IncomingMessage } from 'node:http'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { parseJson } from '../../kit/http/parseJson.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { RateLimiter, RateLimiters } from '../../kit/limits/rateLimiters.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { RelayLimits } from '../relayVariables.ts'
import { invalidPayload, RelayError, tooManyRequests } from '../errors.ts'
import type { RelayIdentity } from '../relayIdentity.ts'
import type { RelayMetrics } from '../relayMetrics.ts'
import { authorizeConnection, type AuthorizationRules, type RelayClient } from './authorizeConnection.ts'
import type { ClientSession } from './clientSession.ts'
import { dispatchRequest } from './dispatchRequest.ts'
import { formatError, parseFrame, type RelayRequest } from './parseFrame.ts'

export type RelayHttpDependencies = {
  access: AuthorizationRules['access']
  audiences(): readonly string[]
  limits: Pick<RelayLimits, 'rate'>
  rateLimiters: RateLimiters
  clock: Clock
  trustedProxies: number
  /** Opens the session of a client without a connection. */
  openSession(client: RelayClient): ClientSession
  /** The relay's key, which signs watch events. */
  watches: { identity: Pick<RelayIdentity, 'publicKey'> }
  metrics: RelayMetrics
  onFault(error: unknown): void
}

/** Some clients configure the base address; the specification says `/rpc`. */
const paths = ['/', '/relay', '/rpc'] as const
/** The same as for a frame of a websocket. */
const bodyLimit = 1024 * 1024
/** A batch of 500 subscriptions or receipts has two keys for each of them. */
const maxKeys = 4_000

/** A request that does not reach its method. */
class RequestRejection extends Error {
  readonly status: number
  readonly relayError: RelayError
  readonly idToken: string
  readonly retryAfter: number | undefined

  constructor(status: number, relayError: RelayError, options: { idToken?: string; retryAfter?: number } = {}) {
    super(relayError.message)
    this.status = status
    this.relayError = relayError
    this.idToken = options.idToken ?? '0'
    this.retryAfter = options.retryAfter
  }
}

/**
 * The relay for clients without a websocket: one JSON-RPC request in the body of a POST, authenticated like a websocket.
 * The response of a method has status 200, errors included. 400 is for bodies that are not a request, 401 and 403 for
 * clients that are not authorized, 429 for exceeded rate limits.
 */
export function relayHttp(dependencies: RelayHttpDependencies): FastifyPluginAsync {
  const { limits, rateLimiters, access, clock, trustedProxies, metrics, onFault } = dependencies
  const addressLimiter = rateLimiters.create('relay/http-addresses', limits.rate)
  const clientLimiter = rateLimiters.create('relay/http-clients', limits.rate)

  async function authorize(request: IncomingMessage): Promise<RelayClient> {
    const address = clientAddress(request, trustedProxies)
    await takeToken(addressLimiter, address)
    const rules = { access, audiences: dependencies.audiences(), now: clock.now(), address }
    const result = await authorizeConnection(request, rules)
    if (!('clientId' in result)) {
      throw new RequestRejection(result.status, new RelayError(3000, result.reason, result.data))
    }
    await takeToken(clientLimiter, result.clientId)
    return result
  }

  async function respond(client: RelayClient, request: RelayRequest, reply: FastifyReply): Promise<string> {
    const session = dependencies.openSession(client)
    try {
      const { text, after, receipts } = await dispatchRequest(session, request, onFault, metrics.countRequest)
      after?.()
      // The next request may reach another process, so the end of this response is all that can be known.
      const acknowledge = (): void => receipts?.forEach((receipt) => session.acknowledge(receipt))
      reply.raw.once('finish', acknowledge)
      return text
    } finally {
      session.end()
    }
  }

  function handleError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, idToken, relayError, retryAfter } = error instanceof RequestRejection ? error : toRejection(error)
    if (status >= 500) onFault(error)
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    return reply.code(status).type('application/json').send(formatError(idToken, relayError))
  }

  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, async (_request: unknown, body: string) => body)
    app.setErrorHandler(handleError)
    app.get('/public-key', (_request, reply) => {
      // Wallets in browsers request it, too, from any origin.
      reply.header('access-control-allow-origin', '*')
      return reply.type('text/plain').send(dependencies.watches.identity.publicKey)
    })
    for (const path of paths) {
      app.post(path, { bodyLimit }, async ({ raw, body }, reply) => {
        const text = await respond(await authorize(raw), parseRelayRequest(body), reply)
        return reply.type('application/json').send(text)
      })
    }
  }
}

async function takeToken(limiter: RateLimiter, key: string): Promise<void> {
  const result = await limiter.take(key)
  if (!result.ok) throw new RequestRejection(429, tooManyRequests(), { retryAfter: result.retryAfter })
}

/** Parses a body more strictly than a frame, because a proxy in between may parse it as well. */
function parseRelayRequest(body: unknown): RelayRequest {
  const text = typeof body === 'string' ? body : ''
  const frame = parseFrame(text)
  if (frame.kind === 'invalid') throw new RequestRejection(400, frame.error, { idToken: frame.idToken })
  if (frame.kind === 'response') {
    throw new RequestRejection(400, invalidPayload('InvalidMethod', 'expected a request'))
  }
  try {
    parseJson(text, { keys: maxKeys })
  } catch (error) {
    if (error instanceof Problem) throw new RequestRejection(400, invalidPayload('Serialization', error.message))
    throw error
  }
  return frame.request
}

/** Converts an error of the framework, such as a body that is too large, or an error of ours. */
function toRejection({ statusCode = 500 }: FastifyError): RequestRejection {
  if (statusCode >= 500) return new RequestRejection(statusCode, new RelayError(-32603, 'Internal error', 'Unknown'))
  return new RequestRejection(statusCode, invalidPayload('PayloadSizeExceeded', 'the body cannot be taken'))
}
