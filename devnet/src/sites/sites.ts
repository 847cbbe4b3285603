import { createServer, type Server } from 'node:http'
import { serveApp, type AppOptions, type SiteHandler } from './serveApp.ts'

/** A listening site. */
export type Site = {
  url: string
  /** The server, for uses beyond requests, such as websockets. */
  server: Server
  /** Sets the handler. Until then the site responds that it is starting. */
  respond(handler: SiteHandler): void
  close(): Promise<void>
}

export type SiteOptions = AppOptions & {
  /** 0 selects a free port. */
  port: number
}

/**
 * Listens without content yet, so that sites can know each other's URLs.
 *
 * @throws Error if the port is in use.
 */
export async function openSite(port: number): Promise<Site> {
  let handler: SiteHandler = (_request, response) => {
    response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' })
    response.end('Latchkey is starting. Try again in a moment.')
  }
  const server = createServer((request, response) => handler(request, response))
  const boundPort = await listen(server, port)
  return {
    url: `http://127.0.0.1:${boundPort}`,
    server,
    respond: (next) => void (handler = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Serves a built single-page app on its own port.
 *
 * @throws Error if the port is in use or the app is not built.
 * @example const site = await startSite({ root: 'apps/web/dist', port: 4600, config, connect: [rpcUrl], images: [] })
 */
export async function startSite({ port, ...app }: SiteOptions): Promise<Site> {
  const handler = serveApp(app)
  const site = await openSite(port)
  site.respond(handler)
  return site
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}
