import type { IncomingMessage, ServerResponse } from 'node:http'

const mostBytes = 64 * 1_024

/** Reads a URL-encoded request body. */
export async function parseForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const part = Buffer.from(chunk as Uint8Array)
    size += part.length
    if (size > mostBytes) throw new Error('The form is too long.')
    chunks.push(part)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

export function redirect(response: ServerResponse, url: URL): void {
  response.writeHead(303, { location: url.href, 'cache-control': 'no-store' })
  response.end()
}

/** True for a callback of this provider on this machine: only the two key services may be redirected to. */
export function isOurCallback(text: string, provider: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, pathname, search, hash } = new URL(text)
  const isHere = protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)
  const isCallback = ['auth', 'shares'].some((service) => pathname === `/${service}/v1/social/${provider}/callback`)
  return isHere && isCallback && search === '' && hash === ''
}
