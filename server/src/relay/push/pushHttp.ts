import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { parseJson } from '../../kit/http/parseJson.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { RateLimiters } from '../../kit/limits/rateLimiters.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { authorizeConnection, type AuthorizationRules } from '../connections/authorizeConnection.ts'
import type { RelayLimits } from '../relayVariables.ts'
import type { PushGateway } from './createPushGateway.ts'

export type PushHttpDependencies = {
  gateway: Pick<PushGateway, 'register' | 'unregister'>
  /** The key that browsers subscribe with. */
  webKey: string
  access: AuthorizationRules['access']
  audiences(): readonly string[]
  limits: Pick<RelayLimits, 'handshakes'>
  rateLimiters: Pick<RateLimiters, 'create'>
  clock: Clock
  trustedProxies: number
}

const maxTokenLength = 2_048
const bodyLimit = 8 * 1024

const registrationSchema = Type.Object({
  client_id: Type.String({ maxLength: 128 }),
  type: Type.String({ maxLength: 32 }),
  token: Type.String({ minLength: 1, maxLength: maxTokenLength }),
  always_raw: Type.Optional(Type.Boolean()),
})

type Registration = { client_id: string; type: string; token: string; always_raw?: boolean }
type Params = { projectId?: string; clientId?: string }

/**
 * The registrations of the push gateway, by the specification of the push server. A client authenticates as it does towards the
 * relay, and may register only itself.
 */
export function pushHttp(dependencies: PushHttpDependencies): FastifyPluginAsync {
  const { gateway, webKey, access, clock, trustedProxies } = dependencies
  const limiter = dependencies.rateLimiters.create('relay/push-registrations', dependencies.limits.handshakes)

  /** Returns the address of a client that may change the registration of `clientId`. */
  async function authorize({ raw, params }: FastifyRequest, clientId: string): Promise<string> {
    const address = clientAddress(raw, trustedProxies)
    const taken = await limiter.take(address)
    if (!taken.ok) throw new Problem(429, '', 'Too many requests', { retryAfter: taken.retryAfter })
    // Fastify has matched the path against the names.
    const { projectId: project } = params as Params
    const rules = { access, audiences: dependencies.audiences(), now: clock.now(), address }
    const client = await authorizeConnection(raw, { ...rules, ...(project !== undefined && { project }) })
    if (!('clientId' in client)) throw new Problem(client.status, '', client.reason)
    if (client.clientId !== clientId) throw new Problem(403, 'client_id', 'The token belongs to another client.')
    return address
  }

  return async (app) => {
    app.removeAllContentTypeParsers()
    // Some clients send a content type without a body.
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, async (_request: unknown, body: string) =>
      body === '' ? undefined : parseJson(body),
    )
    app.get('/push/web-key', (_request, reply) => {
      // Wallets in browsers read it from any origin.
      reply.header('access-control-allow-origin', '*')
      return reply.type('text/plain').send(webKey)
    })
    for (const prefix of ['', '/:projectId']) {
      app.post(`${prefix}/clients`, { bodyLimit, schema: { body: registrationSchema } }, async (request) => {
        // Fastify has validated the body against the schema.
        const { client_id: client, type, token, always_raw: isRaw = false } = request.body as Registration
        const address = await authorize(request, client)
        await gateway.register({ client, service: type, token, isRaw, address })
        return { status: 'OK' }
      })
      app.delete(`${prefix}/clients/:clientId`, async (request) => {
        const { clientId = '' } = request.params as Params
        await authorize(request, clientId)
        await gateway.unregister(clientId)
        return { status: 'OK' }
      })
    }
  }
}
