import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'

const methods = ['GET', 'POST', 'DELETE', 'OPTIONS']
/** Upper bounds in seconds, few because each route has its own. */
const buckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 15]

/**
 * Counts the requests of a server by the route that serves them, never by their path: a client could otherwise create series.
 *
 * @example observeRequests(app, registry)
 */
export function observeRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Counter({
    name: 'latchkey_http_requests_total',
    help: 'HTTP requests by route and status. No route: nothing is served at the path.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'latchkey_http_request_seconds',
    help: 'Seconds until the response was sent.',
    labelNames: ['route'],
    buckets,
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    const method = methods.includes(request.method) ? request.method : 'other'
    requests.inc({ method, route, status: reply.statusCode })
    seconds.observe({ route }, reply.elapsedTime / 1_000)
  })
}
