import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress } from '../kit/clientAddress.ts'
import type { Clock } from '../kit/clock.ts'
import { parseJson } from '../kit/json.ts'
import { Problem } from '../kit/problem.ts'
import { createTokenBuckets, type TokenBucket } from '../kit/tokenBucket.ts'
import { admit, type Door, type Visitor } from './admit.ts'
import type { RelayLimits } from './config.ts'
import { dispatch } from './dispatch.ts'
import { invalidPayload, RelayError, tooManyRequests } from './errors.ts'
import { readFrame, writeError, type RelayRequest } from './frames.ts'
import type { RelayIdentity } from './identity.ts'
import type { Session } from './session.ts'

export type RelayHttpParts = {
  projects: Door['projects']
  audiences(): readonly string[]
  limits: Pick<RelayLimits, 'rate'>
  clock: Clock
  trustedProxies: number
  /** What a client may do without a connection. */
  openSession(visitor: Visitor): Session
  /** The key of the relay, which signs what watches tell. */
  watches: { identity: Pick<RelayIdentity, 'publicKey'> }
  log: FastifyBaseLogger
}

/** The base address is what some clients configure, `/rpc` what the specification says. */
const paths = ['/', '/relay', '/rpc'] as const
/** As large as a frame of a socket may be. */
const bodyLimit = 1024 * 1024
/** A batch of 500 subscriptions or receipts has two keys for each of them. */
const mostKeys = 4_000

/** Why a request is not answered by its method. */
class Refusal extends Error {
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
 * The relay for those who ask once and go: one JSON-RPC request in the body of a POST, with the authentication of the
 * websocket, answered as there. What is read is answered with 200, whether the method refuses or not; 400 is for bodies
 * that are no request, 401 and 403 for clients that may not come in, 429 for those that ask too often.
 */
export function relayHttp(parts: RelayHttpParts): FastifyPluginAsync {
  const { limits, clock, trustedProxies, log } = parts
  const ofAddresses = createTokenBuckets(limits.rate, clock)
  const ofClients = createTokenBuckets(limits.rate, clock)

  function enter(request: IncomingMessage): Visitor {
    takeFrom(ofAddresses.of(clientAddress(request, trustedProxies)))
    const verdict = admit(request, { projects: parts.projects, audiences: parts.audiences(), now: clock.now() })
    if (!('clientId' in verdict)) {
      throw new Refusal(verdict.status, new RelayError(3000, verdict.reason, verdict.data))
    }
    takeFrom(ofClients.of(verdict.clientId))
    return verdict
  }

  async function answer(visitor: Visitor, request: RelayRequest): Promise<string> {
    const session = parts.openSession(visitor)
    try {
      const { text, after } = await dispatch(session, request, report)
      after?.()
      return text
    } finally {
      session.end()
    }
  }

  function report(error: unknown): void {
    log.error({ reason: error instanceof Error ? error.message : String(error) }, 'relay fault')
  }

  function tell(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, idToken, relayError, retryAfter } = error instanceof Refusal ? error : refusalOf(error)
    if (status >= 500) report(error)
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    return reply.code(status).type('application/json').send(writeError(idToken, relayError))
  }

  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, async (_request: unknown, body: string) => body)
    app.setErrorHandler(tell)
    app.get('/public-key', (_request, reply) => {
      // Wallets in browsers ask too, wherever they come from.
      reply.header('access-control-allow-origin', '*')
      return reply.type('text/plain').send(parts.watches.identity.publicKey)
    })
    for (const path of paths) {
      app.post(path, { bodyLimit }, async ({ raw, body }, reply) => {
        const text = await answer(enter(raw), readRequest(body))
        return reply.type('application/json').send(text)
      })
    }
  }
}

function takeFrom(bucket: TokenBucket): void {
  const taken = bucket.take()
  if (!taken.ok) throw new Refusal(429, tooManyRequests(), { retryAfter: taken.retryAfter })
}

/** Reads a body, and more strictly than a frame: what stands in between, such as a proxy, may read it, too. */
function readRequest(body: unknown): RelayRequest {
  const text = typeof body === 'string' ? body : ''
  const frame = readFrame(text)
  if (frame.kind === 'broken') throw new Refusal(400, frame.error, { idToken: frame.idToken })
  if (frame.kind === 'answer') throw new Refusal(400, invalidPayload('InvalidMethod', 'expected a request'))
  try {
    parseJson(text, { keys: mostKeys })
  } catch (error) {
    if (error instanceof Problem) throw new Refusal(400, invalidPayload('Serialization', error.message))
    throw error
  }
  return frame.request
}

/** What the framework refused, such as a body that is too large, and our own faults. */
function refusalOf({ statusCode = 500 }: FastifyError): Refusal {
  if (statusCode >= 500) return new Refusal(statusCode, new RelayError(-32603, 'Internal error', 'Unknown'))
  return new Refusal(statusCode, invalidPayload('PayloadSizeExceeded', 'the body cannot be taken'))
}
