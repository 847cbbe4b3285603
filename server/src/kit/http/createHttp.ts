import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { UpstreamLimitError } from '../chain/postJsonRpc.ts'
import { isClickHouseUnavailable } from '../clickhouse/connectClickHouse.ts'
import { isDatabaseBusy } from '../database/database.ts'
import { describeError } from './describeError.ts'
import { parseJson } from './parseJson.ts'
import { Problem } from './problem.ts'
import type { Projects } from './projects.ts'

export type HttpOptions = {
  logLevel: string
  projects: Projects
  /** Gets the lines of the log; standard output by default. */
  stream?: { write(line: string): void }
}

const bodyLimit = 512 * 1024
/** Limits for clients that never finish their request and hold a socket, in milliseconds. */
const timeouts = { headers: 10_000, request: 30_000, look: 1_000 } as const

/**
 * Creates the HTTP server. Every response has a request id, every error the same form, and only allowed origins get CORS
 * headers.
 */
export async function createHttp({ logLevel, projects, stream }: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit,
    requestTimeout: timeouts.request,
    http: {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.look,
      maxHeaderSize: 16 * 1024,
    },
    // The query contains project ids and tokens, so only the path is logged.
    logger: {
      level: logLevel,
      ...(stream && { stream }),
      serializers: {
        req: ({ method, url }) => ({ method, path: pathOf(url) }),
        err: (error) => describeError(error),
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']) ?? randomUUID(),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
  })
  await app.register(cors, {
    origin: (origin, decide) => decide(null, origin !== undefined && projects.isKnownOrigin(origin)),
    methods: ['GET', 'POST', 'DELETE', 'OPTIONS'],
    exposedHeaders: ['x-request-id', 'retry-after'],
    maxAge: 600,
  })
  parseEveryBodyAsJson(app)
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply))
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, 404, '', 'There is nothing here.'))
  return app
}

/** Clients send JSON as `text/plain`, which saves browsers a preflight request. */
function parseEveryBodyAsJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    parseJson(body),
  )
}

/** Accepts the request id of a client only in the form of an id, because it is logged. */
function requestIdOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w-]{1,128}$/.test(header) ? header : undefined
}

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Problem) {
    if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
    return sendProblem(reply, error.status, error.field, error.message)
  }
  if (error.validation !== undefined) return sendProblem(reply, 400, invalidField(error), error.message)
  if (error.statusCode !== undefined && error.statusCode < 500)
    return sendProblem(reply, error.statusCode, '', error.message)
  if (error instanceof UpstreamLimitError) {
    return sendProblem(reply.header('retry-after', String(error.retryAfterSeconds)), 503, 'chainId', error.message)
  }
  if (isDatabaseBusy(error)) {
    request.log.warn('the database is busy')
    return sendProblem(reply.header('retry-after', '1'), 503, '', 'The server is busy. Try again.')
  }
  if (isClickHouseUnavailable(error)) {
    request.log.warn({ reason: error.message }, 'the history store does not respond')
    const sentence = 'The history is not available now. Try again.'
    return sendProblem(reply.header('retry-after', '5'), 503, '', sentence)
  }
  request.log.error({ err: error }, 'a request failed')
  return sendProblem(reply, 500, '', 'Internal server error')
}

/** Gets the first parameter that is missing or invalid. */
function invalidField({ validation }: FastifyError): string {
  const [first] = validation ?? []
  const place = first?.instancePath.split('/')[1]
  const missing = first?.params['missingProperty']
  return place ?? (typeof missing === 'string' ? missing : '')
}

function sendProblem(reply: FastifyReply, status: number, field: string, description: string): FastifyReply {
  return reply.code(status).send({ status: 'FAILED', reasons: [{ field, description }] })
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
