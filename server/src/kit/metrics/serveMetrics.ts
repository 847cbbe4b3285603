import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { sha256 } from '../secrets/sha256.ts'

/** The place of the metrics, and the secret of their scraper. */
export type MetricsAddress = { host: string; port: number; token?: string | undefined }

/** A running server of metrics. */
export type MetricsServer = { url: string; close(): Promise<void> }

/** Further pages of this server by their path, under the same token. */
export type MetricsRoutes = {
  readonly [path: string]: () => Promise<{ headers: Readonly<Record<string, string>>; body: string }>
}

/**
 * Serves the metrics of this process at `GET /metrics`, in the text format of Prometheus. It has its own port, so that a
 * reverse proxy of the public port does not publish them.
 *
 * @param options.token clients must send it as `Authorization: Bearer …` (RFC 6750), or browsers as the password of any user
 *   (RFC 7617); none is needed if `undefined`
 * @throws Error with a sentence if the port is taken
 * @example const server = await serveMetrics(registry, { host: '127.0.0.1', port: 4609 })
 */
export async function serveMetrics(
  registry: Registry,
  { host, port, token }: MetricsAddress,
  routes: MetricsRoutes = {},
): Promise<MetricsServer> {
  const metrics: MetricsRoutes[string] = async () => ({
    headers: { 'content-type': registry.contentType },
    body: await registry.metrics(),
  })
  const all: MetricsRoutes = { '/metrics': metrics, ...routes }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const route = request.method === 'GET' && Object.hasOwn(all, path) ? all[path] : undefined
    if (route === undefined) return void response.writeHead(404).end()
    if (token !== undefined && !hasToken(request, token)) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="Latchkey"' }).end()
    }
    void route().then(
      ({ headers, body }) => response.writeHead(200, headers).end(body),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`Metrics can't be served on port ${port}. Set METRICS_PORT to another one.`, { cause }))
    })
    server.listen(port, host, resolve)
  })
  // A server that listens on a port has an address of this form.
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/metrics`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Compares hashes, which have equal lengths, so that the time of the comparison says nothing about the token. */
function hasToken({ headers: { authorization = '' } }: IncomingMessage, token: string): boolean {
  const [scheme, credentials = ''] = authorization.split(' ')
  const password = Buffer.from(credentials, 'base64').toString().split(':').slice(1).join(':')
  const given = scheme === 'Basic' ? `Bearer ${password}` : authorization
  return timingSafeEqual(sha256(given), sha256(`Bearer ${token}`))
}
