import type { IncomingMessage } from 'node:http'
import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The weight of a request against the rate limit, and if it needs no project, or changes what the server stores. */
export type Admission = { cost?: number; isPublic?: boolean; isWrite?: boolean }

/** Lets a request pass, or throws the Problem that says why not. */
export type RequestGuard = (request: FastifyRequest, admission?: Admission) => void | Promise<void>

/** A validated request, typed by the schemas of its endpoint. */
export type EndpointRequest<params, query, body> = {
  params: params
  query: query
  body: body
  /** The origin of the requesting page, if a browser sends it. */
  origin: string | undefined
  /** The request itself, for the address of its sender. */
  raw: IncomingMessage
  log: FastifyBaseLogger
  /** Sets a header of the response. */
  header(name: string, value: string): void
  /** Sets the status of the response; 200 by default. */
  status(code: number): void
}

const defaultMaxBodyBytes = 100 * 1024

/** An example request that gets status 200. The documentation shows it, and a test sends it. */
export type Example = {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
  /** The status of the response, if no fixed example can get 200. */
  status?: number
}

type Definition<
  params extends TProperties,
  query extends TProperties,
  body extends TSchema,
  response extends TSchema,
> = {
  method: 'GET' | 'POST'
  /** With `:name` for a parameter. */
  path: `/${string}`
  /** The service of the endpoint: a heading of the documentation. */
  group: string
  summary: string
  params?: TObject<params>
  query?: TObject<query>
  body?: body
  /** 100 KiB by default. */
  maxBodyBytes?: number
  response: response
  /** The media types of responses; JSON if omitted. */
  contentTypes?: readonly string[]
  /** `Cache-Control` of responses with status 200. Responses are not cached if omitted. */
  cache?: string
  /** True if the endpoint needs no project. Its requests are limited like all others. */
  isPublic?: boolean
  /** True if requests change what the server stores. They are refused while the store of the rate limits is unreachable. */
  isWrite?: boolean
  /** The weight of a request against the rate limit; 1 if omitted. */
  cost?(body: Static<body>): number
  example: Example
  handle(
    request: EndpointRequest<Static<TObject<params>>, Static<TObject<query>>, Static<body>>,
  ): Promise<Static<response>> | Static<response>
}

/** An endpoint, independent of the types of its definition. */
export type Endpoint = {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly group: string
  readonly summary: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  readonly response: TSchema
  readonly contentTypes: readonly string[]
  readonly example: Example
  readonly isPublic: boolean
  mount(app: FastifyInstance, guard: RequestGuard): void
}

/**
 * Defines an endpoint. Its schemas validate, type and document it.
 *
 * @example
 * defineEndpoint({ method: 'GET', path: '/v1/time', group: 'Clock', summary: 'Gets the time.',
 *   response: Type.Object({ now: Type.String() }), example: {}, handle: () => ({ now: new Date().toISOString() }) })
 */
export function defineEndpoint<
  params extends TProperties = Record<never, never>,
  query extends TProperties = Record<never, never>,
  body extends TSchema = TSchema,
  response extends TSchema = TSchema,
>(definition: Definition<params, query, body, response>): Endpoint {
  const { method, path, group, summary, params, query, body, response, example, isPublic = false } = definition
  const {
    cache,
    cost,
    handle,
    isWrite = false,
    maxBodyBytes = defaultMaxBodyBytes,
    contentTypes = ['application/json'],
  } = definition

  return {
    method,
    path,
    group,
    summary,
    params,
    query,
    body,
    response,
    contentTypes,
    example,
    isPublic,
    mount(app, guard) {
      app.route({
        method,
        url: path,
        schema: {
          ...(params && { params }),
          ...(query && { querystring: query }),
          ...(body && { body }),
        },
        bodyLimit: maxBodyBytes,
        preValidation: async (request) => (cost === undefined ? guard(request, { isPublic, isWrite }) : undefined),
        handler: async (request, reply) => {
          if (cost !== undefined) await guard(request, { isPublic, isWrite, cost: cost(request.body as Static<body>) })
          const responseBody = await handle(toEndpointRequest(request, reply))
          if (cache !== undefined && !reply.hasHeader('cache-control')) reply.header('cache-control', cache)
          return reply.send(responseBody)
        },
      })
    },
  }
}

/** Fastify has validated the request against the schemas that the types come from. */
function toEndpointRequest<params, query, body>(
  request: FastifyRequest,
  reply: FastifyReply,
): EndpointRequest<params, query, body> {
  return {
    params: request.params as params,
    query: request.query as query,
    body: request.body as body,
    origin: request.headers.origin,
    raw: request.raw,
    log: request.log,
    header: (name, value) => void reply.header(name, value),
    status: (code) => void reply.code(code),
  }
}

/** Mounts endpoints behind one guard. */
export function mountEndpoints(app: FastifyInstance, endpoints: readonly Endpoint[], guard: RequestGuard): void {
  for (const endpoint of endpoints) endpoint.mount(app, guard)
}
