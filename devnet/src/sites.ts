import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import sirv from 'sirv'

export type SiteOptions = {
  /** The folder of the built app. */
  root: string
  /** 0 takes any free one. */
  port: number
  /** Written into the page, where the app reads it. */
  config: object
  /** Origins that the page's scripts may ask, besides its own. */
  connect: readonly string[]
  /** Origins that the page may show pictures of, besides its own. */
  images: readonly string[]
}

/** A running site. */
export type Site = { url: string; close(): Promise<void> }

const placeholder = '<script type="application/json" id="latchkey-config">{}</script>'

/**
 * Serves a built single-page app under a strict content policy: no inline script or style, Trusted Types on.
 *
 * @throws Error when the port is taken or the app is not built.
 */
export async function startSite(options: SiteOptions): Promise<Site> {
  const page = writePage(options)
  const headers = securityHeaders(options)
  const files = sirv(options.root, { etag: true, single: false, extensions: [], setHeaders: cacheForever })
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const path = new URL(request.url ?? '/', 'http://site').pathname
    if (path === '/' || path === '/index.html') return sendPage(request, response, page)
    files(request, response, () => (path.includes('.') ? notFound(response) : sendPage(request, response, page)))
  })
  const port = await listen(server, options.port)
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function writePage({ root, config }: SiteOptions): string {
  const text = readFileSync(join(root, 'index.html'), 'utf8')
  if (!text.includes(placeholder)) throw new Error(`${join(root, 'index.html')} has no place for its configuration.`)
  // A "<" inside JSON could end the script element early.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return text.replace(placeholder, () => placeholder.replace('{}', () => json))
}

function securityHeaders({ connect, images }: SiteOptions): Readonly<Record<string, string>> {
  const policy = [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data: blob: ${images.join(' ')}`,
    `connect-src 'self' ${connect.join(' ')}`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
}

/** Files with a hash in their name never change. */
function cacheForever(response: ServerResponse, path: string): void {
  if (path.includes('/assets/')) response.setHeader('cache-control', 'public, max-age=31536000, immutable')
}

function sendPage(request: IncomingMessage, response: ServerResponse, page: string): void {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('cache-control', 'no-cache')
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return void response.end(page)
  response.setHeader('content-encoding', 'gzip')
  const gzip = createGzip()
  gzip.pipe(response)
  gzip.end(page)
}

function notFound(response: ServerResponse): void {
  response.statusCode = 404
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.end('There is no such file.')
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
