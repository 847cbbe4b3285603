import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { readFrameFiles } from './frameFiles.ts'
import { ancestorSource, frameHeaders, type FrameAddresses } from './framePolicy.ts'

/** The secure site, listening. */
export type FrameSite = {
  url: string
  close(): Promise<void>
}

export type FrameSiteParts = {
  dir: string
  host: string
  port: number
  /** Where browsers reach it, when that is not where it listens. */
  publicUrl: string | undefined
  addresses: FrameAddresses
  /** The networks that it acts on, as its page reads them. */
  networks: readonly object[]
  /** The pages that a project may embed it in; undefined for a project that nobody knows. */
  embedders(projectId: string): readonly string[] | undefined
}

const projectIdPattern = /^[0-9a-f]{32}$/
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
}
const framed = 'sdk/index.html'

/**
 * Serves the secure site on an origin of its own: nothing but the files that its build listed, each with a policy that
 * leaves it nothing else to do.
 *
 * @throws Error in a sentence when the files are not those that were built, or the port is taken
 */
export async function openFrameSite(parts: FrameSiteParts): Promise<FrameSite> {
  const { dir, host, port, publicUrl, addresses, networks, embedders } = parts
  const files = await readFrameFiles(dir)
  const place = { url: publicUrl ?? '' }

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'This site is for reading.')
    const url = new URL(request.url ?? '/', 'http://site')
    const path = pathOf(url.pathname)
    const content = files.get(path)
    if (content === undefined) return refuse(response, 404, 'There is nothing here.')
    const projectId = url.searchParams.get('projectId') ?? ''
    const allowed = path === framed ? sourcesOf(projectId) : []
    if (typeof allowed === 'number') return refuse(response, allowed, 'No project of this site has that id.')
    const config = {
      ...addresses,
      origin: place.url,
      networks,
      allowedOrigins: allowed,
      ...(path === framed && { projectId }),
    }
    const body = path.endsWith('.html') ? fill(content, config) : content
    send(request, response, { path, body, headers: frameHeaders(path, addresses, allowed) })
  }

  function sourcesOf(projectId: string): readonly string[] | number {
    if (!projectIdPattern.test(projectId)) return 400
    return embedders(projectId)?.map(ancestorSource) ?? 404
  }

  const server = createServer(answer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Error(`The port ${port} of the secure site cannot be used. Free it, or set FRAME_PORT.`, { cause })),
    )
    server.listen(port, host, resolve)
  })
  // A server that listens on a port has an address of this form.
  const { port: actual } = server.address() as AddressInfo
  if (publicUrl === undefined) place.url = `http://${nameOf(host)}:${actual}`
  return {
    url: place.url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** `/sdk` and `/sdk/` are its page. */
function pathOf(pathname: string): string {
  const path = pathname.replace(/^\/+|\/+$/g, '')
  return /\.[^/]*$/.test(path) ? path : `${path}/index.html`
}

/** Passkeys need a name, and addresses of this machine have one. */
function nameOf(host: string): string {
  if (host === '127.0.0.1' || host === '::1' || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

const placeholder = /(<script type="application\/json" id="latchkey-config">)\s*\{\}\s*(<\/script>)/

function fill(page: Buffer, config: object): Buffer {
  // A "<" inside JSON could end the script element early.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return Buffer.from(page.toString().replace(placeholder, (_, open: string, close: string) => open + json + close))
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { path, body, headers }: { path: string; body: Buffer; headers: Readonly<Record<string, string>> },
): void {
  const ending = path.split('.').at(-1) ?? ''
  const packed = /\bgzip\b/.test(String(request.headers['accept-encoding'])) ? gzipSync(body) : undefined
  response.writeHead(200, {
    ...headers,
    'content-type': types[ending] ?? 'application/octet-stream',
    vary: 'accept-encoding',
    ...(packed && { 'content-encoding': 'gzip' }),
  })
  response.end(request.method === 'HEAD' ? undefined : (packed ?? body))
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(sentence)
}
