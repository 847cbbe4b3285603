import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import sirv from 'sirv'
import type { SiteHandler } from './serveApp.ts'
import { endWithText, setFileLifetime, strictHeaders } from './strictHeaders.ts'

/** Shown until the documentation is built, which happens after everything else is ready. Reloads itself. */
const waitingPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="3">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Documentation</title></head><body><main><h1>Documentation</h1>
<p>The documentation is being built. This page reloads when it is ready.</p></main></body></html>`

/**
 * Serves the built documentation under a strict content security policy: no inline scripts or styles, Trusted Types on, no
 * other origin. It may be built, or built again, while it is served. Browsers get the compressed files, if there are any.
 *
 * @param root the folder of the built site
 */
export function serveDocs(root: string): SiteHandler {
  const headers = Object.entries(strictHeaders({ trustedTypes: ['vue'] }))
  // In this mode, sirv reads the folder for every request.
  const files = sirv(root, { dev: true, etag: true, brotli: true, gzip: true, extensions: ['html'], setHeaders })
  return (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return endWithText(response, 405, 'This site is only for reading.')
    if (!existsSync(join(root, 'index.html'))) {
      response.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'retry-after': '3' })
      return void response.end(waitingPage)
    }
    files(request, response, () => void endAsMissing(response, root))
  }
}

/** Responds with the page of the site for missing pages, if it has one. */
async function endAsMissing(response: ServerResponse, root: string): Promise<void> {
  const page = await readFile(join(root, '404.html')).catch(() => undefined)
  if (page === undefined) return endWithText(response, 404, 'There is no such page.')
  response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' })
  response.end(page)
}

function setHeaders(response: ServerResponse, path: string): void {
  setFileLifetime(response, path)
  // Browsers would download Markdown, and guess the encoding of text.
  if (/\.(md|txt)$/.test(path)) response.setHeader('content-type', 'text/plain; charset=utf-8')
}
