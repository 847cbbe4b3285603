import type { FastifyPluginAsync } from 'fastify'
import type { Chain } from '../../kit/chains.ts'

/** `GET /v1/supported-chains`: the chains that the server reads. */
export function supportedChains({ chains }: { chains: readonly Chain[] }): FastifyPluginAsync {
  return async (app) => {
    app.get('/v1/supported-chains', async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=86400, s-maxage=86400')
      return { http: chains.map(({ caipNetworkId }) => caipNetworkId), ws: [] }
    })
  }
}
