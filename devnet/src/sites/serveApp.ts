import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import sirv from 'sirv'
import { hashInlineStyles } from './hashInlineStyles.ts'
import { injectPageConfig } from './injectPageConfig.ts'
import { injectPageContent } from './injectPageContent.ts'
import { endWithText, setFileLifetime, strictHeaders, type PolicyExceptions } from './strictHeaders.ts'

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
  /** The HTML of the element `#root` by path. A path without one is rendered by the app's code. */
  pages?: ReadonlyMap<string, string>
  /** Additional response headers; they replace default headers of the same name. */
  headers?: Readonly<Record<string, string>>
}

/**
 * Serves a built single-page app under a strict content security policy: no inline scripts, no inline styles except those of
 * pages that are rendered in advance, by their hash, and Trusted Types on.
 * Files that were compressed at build time (`.br`, `.gz`) are sent to browsers that accept the encoding.
 *
 * @throws Error if the app is not built.
 */
export function serveApp({ root, config, pages, headers, ...exceptions }: AppOptions): SiteHandler {
  const plain = readAppPage(root, config)
  const unrendered = createPage(plain, exceptions)
  const rendered = new Map(
    [...(pages ?? [])].map(([path, content]) => [path, createPage(injectPageContent(plain, content), exceptions)]),
  )
  const ownHeaders = Object.entries(headers ?? {})
  const files = sirv(root, { etag: true, brotli: true, gzip: true, extensions: [], setHeaders: setFileLifetime })

  return (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?')
    const page = rendered.get(path.replace(/(.)\/$/, '$1')) ?? rendered.get('/') ?? unrendered
    for (const [name, value] of [...page.headers, ...ownHeaders]) response.setHeader(name, value)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return endWithText(response, 405, 'This site is only for reading.')
    const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding']))
    if (path === '/' || path === '/index.html') return sendPage(response, page, takesGzip)
    // A path without a file extension is a page of the app.
    const isFile = /\.[^/]*$/.test(path)
    files(request, response, () =>
      isFile ? endWithText(response, 404, 'There is no such file.') : sendPage(response, page, takesGzip),
    )
  }
}

type Page = { plain: Buffer; gzipped: Buffer; headers: ReadonlyArray<[name: string, value: string]> }

function readAppPage(root: string, config: object): string {
  const file = join(root, 'index.html')
  if (!existsSync(file)) throw new Error(`There is no ${file}. Run npm run build first.`)
  return injectPageConfig(readFileSync(file, 'utf8'), config)
}

function createPage(html: string, exceptions: PolicyExceptions): Page {
  const plain = Buffer.from(html)
  const headers = Object.entries(strictHeaders({ ...exceptions, styles: hashInlineStyles(html) }))
  return { plain, gzipped: gzipSync(plain), headers }
}

function sendPage(response: ServerResponse, { plain, gzipped }: Page, takesGzip: boolean): void {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('cache-control', 'no-cache')
  response.setHeader('vary', 'accept-encoding')
  if (takesGzip) response.setHeader('content-encoding', 'gzip')
  response.end(takesGzip ? gzipped : plain)
}
