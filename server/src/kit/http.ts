import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { isDatabaseBusy } from './database.ts'
import { parseJson } from './json.ts'
import { Problem } from './problem.ts'
import type { Projects } from './projects.ts'

export type HttpOptions = { logLevel: string; projects: Projects }

const bodyLimit = 512 * 1024
/** Who does not finish what he begins holds a socket, so he gets this long, in milliseconds. */
const patience = { headers: 10_000, request: 30_000, look: 1_000 } as const

/** The HTTP side of the server: ids on every answer, one form for failures, origins echoed only where allowed. */
export async function createHttp({ logLevel, projects }: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit,
    requestTimeout: patience.request,
    http: {
      headersTimeout: patience.headers,
      requestTimeout: patience.request,
      connectionsCheckingInterval: patience.look,
      maxHeaderSize: 16 * 1024,
    },
    // The query holds project ids and tokens, so a request is logged by its path alone.
    logger: { level: logLevel, serializers: { req: ({ method, url }) => ({ method, path: pathOf(url) }) } },
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
    origin: (origin, decide) => decide(null, origin !== undefined && projects.knowsOrigin(origin)),
    methods: ['GET', 'POST', 'OPTIONS'],
    exposedHeaders: ['x-request-id', 'retry-after'],
    maxAge: 600,
  })
  parseEveryBodyAsJson(app)
  app.setErrorHandler((error: FastifyError, request, reply) => tell(error, request, reply))
  app.setNotFoundHandler((_request, reply) => fail(reply, 404, '', 'There is nothing here.'))
  return app
}

/** Clients send JSON without saying so: a browser then calls it text, which spares them a preflight. */
function parseEveryBodyAsJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    parseJson(body),
  )
}

/** A client may name its own request; what it writes goes into logs, so it has to look like an id. */
function requestIdOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w-]{1,128}$/.test(header) ? header : undefined
}

function tell(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Problem) {
    if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
    return fail(reply, error.status, error.field, error.message)
  }
  if (error.validation !== undefined) return fail(reply, 400, invalidField(error), error.message)
  if (error.statusCode !== undefined && error.statusCode < 500) return fail(reply, error.statusCode, '', error.message)
  if (isDatabaseBusy(error)) {
    request.log.warn('the database is busy')
    return fail(reply.header('retry-after', '1'), 503, '', 'The server is busy. Try again.')
  }
  request.log.error({ err: error }, 'a request failed')
  return fail(reply, 500, '', 'Internal server error')
}

/** The first parameter that is missing or not as it should be. */
function invalidField({ validation }: FastifyError): string {
  const [first] = validation ?? []
  const place = first?.instancePath.split('/')[1]
  const missing = first?.params['missingProperty']
  return place ?? (typeof missing === 'string' ? missing : '')
}

function fail(reply: FastifyReply, status: number, field: string, description: string): FastifyReply {
  return reply.code(status).send({ status: 'FAILED', reasons: [{ field, description }] })
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
