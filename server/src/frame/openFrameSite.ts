import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { ReleaseSigners } from '@latchkey/protocol/release'
import { readFrameFiles } from './frameFiles.ts'
import { documentHeaders, toAncestorSource, frameHeaders, type FrameAddresses } from './frameHeaders.ts'

/** The running site of the frame. */
export type FrameSite = {
  url: string
  close(): Promise<void>
}

export type FrameSiteOptions = {
  dir: string
  /** The keys that must have signed the release. Without any, an unsigned build is served. */
  signers?: ReleaseSigners
  host: string
  port: number
  /** The URL for browsers, if it differs from the address that the server listens on. */
  publicUrl: string | undefined
  addresses: FrameAddresses
  /** The networks of the embedded wallet, as the page parses them. */
  networks: readonly object[]
  /** Returns the pages that a project may embed the frame in, or `undefined` for an unknown project. */
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
const embeddedPage = 'sdk/index.html'

/**
 * Serves the frame's site on its own origin: the files of its build only, each with a strict content security policy, and
 * the manifest with its signatures, which any origin may read.
 *
 * @throws Error if the files differ from the build, if the release is not signed as required, or if the port is in use
 */
export async function openFrameSite(options: FrameSiteOptions): Promise<FrameSite> {
  const { dir, signers, host, port, publicUrl, addresses, networks, embedders } = options
  const { files, documents } = await readFrameFiles(dir, signers)
  const site = { url: publicUrl ?? '' }

  const handleRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendRefusal(response, 405, 'Only GET and HEAD are allowed.')
    const url = new URL(request.url ?? '/', 'http://site')
    const path = toFilePath(url.pathname)
    const document = documents.get(path)
    if (document !== undefined)
      return sendFrameFile(request, response, { path, body: document, headers: documentHeaders })
    const content = files.get(path)
    if (content === undefined) return sendRefusal(response, 404, 'There is nothing here.')
    const projectId = url.searchParams.get('projectId') ?? ''
    const allowed = path === embeddedPage ? findAncestorSources(projectId) : []
    if (typeof allowed === 'number') return sendRefusal(response, allowed, 'This project id is unknown.')
    const config = {
      ...addresses,
      origin: site.url,
      networks,
      allowedOrigins: allowed,
      ...(path === embeddedPage && { projectId }),
    }
    const body = path.endsWith('.html') ? insertConfig(content, config) : content
    sendFrameFile(request, response, { path, body, headers: frameHeaders(path, addresses, allowed) })
  }

  function findAncestorSources(projectId: string): readonly string[] | number {
    if (!projectIdPattern.test(projectId)) return 400
    return embedders(projectId)?.map(toAncestorSource) ?? 404
  }

  const server = createServer(handleRequest)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Error(`The port ${port} of the frame's site cannot be used. Free it, or set FRAME_PORT.`, { cause })),
    )
    server.listen(port, host, resolve)
  })
  // A server that listens on a port has an address of this form.
  const { port: actual } = server.address() as AddressInfo
  if (publicUrl === undefined) site.url = `http://${browserHostname(host)}:${actual}`
  return {
    url: site.url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** `/sdk` and `/sdk/` name the page in that folder. */
function toFilePath(pathname: string): string {
  const path = pathname.replace(/^\/+|\/+$/g, '')
  return /\.[^/]*$/.test(path) ? path : `${path}/index.html`
}

/** Passkeys need a host name, and `localhost` is one for the addresses of this machine. */
function browserHostname(host: string): string {
  if (host === '127.0.0.1' || host === '::1' || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

const placeholder = /(<script type="application\/json" id="latchkey-config">)\s*\{\}\s*(<\/script>)/

function insertConfig(page: Buffer, config: object): Buffer {
  // A "<" inside JSON could end the script element early.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return Buffer.from(page.toString().replace(placeholder, (_, open: string, close: string) => open + json + close))
}

function sendFrameFile(
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

function sendRefusal(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  response.end(sentence)
}
