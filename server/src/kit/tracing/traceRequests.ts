import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracing } from './tracing.ts'

const methods = ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD']

/**
 * Traces the requests of a server by the route that serves them. Paths and queries contain addresses, topics and tokens, so they
 * are not part of a span. Continues the trace of a `traceparent` header (W3C Trace Context).
 *
 * @example traceRequests(app, tracing)
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, reply, done) => {
    const { traceparent } = request.headers
    const clientParent = typeof traceparent === 'string' ? traceparent : undefined
    const method = methods.includes(request.method) ? request.method : '_OTHER'
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    const attributes = { 'http.request.method': method, 'http.route': route }
    const span = tracing.start(`${method} ${route}`, { kind: 'server', clientParent, attributes })
    spans.set(request, span)
    // Emitted for requests that the client aborts as well.
    reply.raw.once('close', () => {
      span.set({ 'http.response.status_code': reply.raw.statusCode })
      span.end(reply.raw.statusCode >= 500 || !reply.raw.writableFinished)
    })
    tracing.within(span, done)
  })
  // A body arrives in the events of the socket, which are outside of the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else tracing.within(span, done)
  })
}
