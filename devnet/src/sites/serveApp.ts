import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import sirv from 'sirv'
import { injectPageConfig } from './injectPageConfig.ts'

/** Handles the requests of a site. */
export type SiteHandler = (request: IncomingMessage, response: ServerResponse) => void

export type AppOptions = {
  /** The folder of the built app. */
  root: string
  /** The configuration that is written into the page. */
  config: object
  /** Further origins for `connect-src`. */
  connect: readonly string[]
  /** Further origins for `img-src`. */
  images: readonly string[]
  /** Origins for `frame-src`; none by default. */
  frames?: readonly string[]
  /** Additional response headers; they replace default headers of the same name. */
  headers?: Readonly<Record<string, string>>
}

/**
 * Serves a built single-page app under a strict content security policy: no inline scripts or styles, Trusted Types on.
 * Files that were compressed at build time (`.br`, `.gz`) are sent to browsers that accept the encoding.
 *
 * @throws Error if the app is not built.
 */
export function serveApp({ root, config, connect, images, frames, headers }: AppOptions): SiteHandler {
  const page = readAppPage(root, config)
  const allHeaders = Object.entries({ ...strictHeaders(connect, images, frames), ...headers })
  const files = sirv(root, { etag: true, brotli: true, gzip: true, extensions: [], setHeaders: setLifetime })

  return (request, response) => {
    for (const [name, value] of allHeaders) response.setHeader(name, value)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return end(response, 405, 'This site is only for reading.')
    const [path = '/'] = (request.url ?? '/').split('?')
    const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding']))
    if (path === '/' || path === '/index.html') return sendPage(response, page, takesGzip)
    // A path without a file extension is a page of the app.
    const isFile = /\.[^/]*$/.test(path)
    files(request, response, () =>
      isFile ? end(response, 404, 'There is no such file.') : sendPage(response, page, takesGzip),
    )
  }
}

type Page = { plain: Buffer; gzipped: Buffer }

function readAppPage(root: string, config: object): Page {
  const file = join(root, 'index.html')
  if (!existsSync(file)) throw new Error(`There is no ${file}. Run npm run build first.`)
  const plain = Buffer.from(injectPageConfig(readFileSync(file, 'utf8'), config))
  return { plain, gzipped: gzipSync(plain) }
}

function strictHeaders(
  connect: readonly string[],
  images: readonly string[],
  frames: readonly string[] = [],
): Readonly<Record<string, string>> {
  const policy = [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    ['img-src', `'self'`, 'data:', 'blob:', ...images].join(' '),
    ['connect-src', `'self'`, ...connect].join(' '),
    ['frame-src', ...(frames.length === 0 ? [`'none'`] : frames)].join(' '),
    `font-src 'none'`,
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
function setLifetime(response: ServerResponse, path: string): void {
  const isHashed = path.startsWith('/assets/')
  response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
}

function sendPage(response: ServerResponse, { plain, gzipped }: Page, takesGzip: boolean): void {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('cache-control', 'no-cache')
  response.setHeader('vary', 'accept-encoding')
  if (takesGzip) response.setHeader('content-encoding', 'gzip')
  response.end(takesGzip ? gzipped : plain)
}

function end(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(sentence)
}
