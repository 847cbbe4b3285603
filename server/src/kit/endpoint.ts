import type { IncomingMessage } from 'node:http'
import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Lets a request in or throws the Problem that says why not. `cost` counts what it is worth. */
export type Admit = (request: FastifyRequest, cost?: number) => void

/** What an endpoint is given: read, of the types that its schemas say. */
export type Asked<params, query, body> = {
  params: params
  query: query
  body: body
  /** Of the page that asks, when a browser says it. */
  origin: string | undefined
  /** The request itself, by which its sender's address is found. */
  raw: IncomingMessage
  log: FastifyBaseLogger
  /** Sets a header of the answer. */
  header(name: string, value: string): void
  /** Sets the status of the answer; 200 when it is not called. */
  status(code: number): void
}

const ordinaryBody = 100 * 1024

/** One example of a request that is answered with 200: the documentation shows it, and a test asks it. */
export type Example = {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
  /** What it is answered with, where nothing that stands here for ever can be answered with 200. */
  status?: number
}

type Definition<params extends TProperties, query extends TProperties, body extends TSchema, answer extends TSchema> = {
  method: 'GET' | 'POST'
  /** With `:name` where a parameter stands. */
  path: `/${string}`
  /** The service it belongs to, as a heading of the documentation. */
  group: string
  summary: string
  params?: TObject<params>
  query?: TObject<query>
  body?: body
  /** How long a body may be; 100 KiB when left out. */
  bodyBytes?: number
  answer: answer
  /** `Cache-Control` of answers with status 200; none are kept when left out. */
  cache?: string
  /** Anybody may ask, without a project. */
  open?: boolean
  /** What a request is worth against the limit; one when left out. */
  cost?(body: Static<body>): number
  example: Example
  handle(
    asked: Asked<Static<TObject<params>>, Static<TObject<query>>, Static<body>>,
  ): Promise<Static<answer>> | Static<answer>
}

/** An endpoint whose types were checked when it was defined. */
export type Endpoint = {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly group: string
  readonly summary: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  readonly answer: TSchema
  readonly example: Example
  readonly open: boolean
  mount(app: FastifyInstance, admit: Admit): void
}

/**
 * Defines an endpoint: what is asked, what is answered, and how. The schemas validate, type and document it.
 *
 * @example
 * endpoint({ method: 'GET', path: '/v1/time', group: 'Clock', summary: 'Tells the time.',
 *   answer: Type.Object({ now: Type.String() }), example: {}, handle: () => ({ now: new Date().toISOString() }) })
 */
export function endpoint<
  params extends TProperties = Record<never, never>,
  query extends TProperties = Record<never, never>,
  body extends TSchema = TSchema,
  answer extends TSchema = TSchema,
>(definition: Definition<params, query, body, answer>): Endpoint {
  const {
    method,
    path,
    group,
    summary,
    params,
    query,
    body,
    answer,
    cache,
    cost,
    example,
    handle,
    open = false,
    bodyBytes = ordinaryBody,
  } = definition
  return {
    method,
    path,
    group,
    summary,
    params,
    query,
    body,
    answer,
    example,
    open,
    mount(app, admit) {
      const schema = { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }) }
      app.route({
        method,
        url: path,
        schema,
        bodyLimit: bodyBytes,
        // Who may not ask is not told what is wrong with his question.
        preValidation: async (request) => (open || cost !== undefined ? undefined : admit(request)),
        handler: async (request, reply) => {
          if (cost !== undefined) admit(request, cost(request.body as Static<body>))
          const answered = await handle(read(request, reply))
          if (cache !== undefined && !reply.hasHeader('cache-control')) reply.header('cache-control', cache)
          return reply.send(answered)
        },
      })
    },
  }

  /** Fastify has validated these against the very schemas that the types come from. */
  function read(
    { params: named, query: queried, body: sent, headers, raw, log }: FastifyRequest,
    reply: FastifyReply,
  ): Asked<Static<TObject<params>>, Static<TObject<query>>, Static<body>> {
    return {
      params: named as Static<TObject<params>>,
      query: queried as Static<TObject<query>>,
      body: sent as Static<body>,
      origin: headers.origin,
      raw,
      log,
      header: (name, value) => void reply.header(name, value),
      status: (code) => void reply.code(code),
    }
  }
}

/** Mounts endpoints behind one guard. */
export function mountEndpoints(app: FastifyInstance, endpoints: readonly Endpoint[], admit: Admit): void {
  for (const each of endpoints) each.mount(app, admit)
}
