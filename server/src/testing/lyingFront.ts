import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that passes a front, with its body as JSON, if it has one. */
export type FrontRequest = { readonly path: string; readonly body: unknown }

/** A site in front of a service. Its operator sees all requests and changes the responses. */
export type LyingFront = {
  readonly url: string
  /** All requests so far. */
  readonly requests: readonly FrontRequest[]
  /** Sets the service that requests are passed to. */
  forwardTo(url: string): void
  /** Sets the lie: returns the response for a request, or `undefined` to pass the service's own response. */
  lie(change: (request: FrontRequest, response: object) => object | undefined | Promise<object | undefined>): void
  close(): Promise<void>
}

/**
 * Starts a site whose operator lies: it passes requests to a service and changes its responses.
 *
 * @example
 * const front = await startLyingFront()
 * front.lie(({ path }, response) => (path === '/auth/v1/farcaster/begin' ? { ...response, url } : undefined))
 */
export async function startLyingFront(): Promise<LyingFront> {
  let target = ''
  let change: Parameters<LyingFront['lie']>[0] = () => undefined
  const requests: FrontRequest[] = []
  const server = createServer((request, response) => {
    forward(request).then(
      ({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      },
      () => response.writeHead(502).end(),
    )
  })

  async function forward(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { url: path = '', method, headers } = request
    const sent = await readBody(request)
    const passed = Object.fromEntries(
      ['dpop', 'authorization', 'content-type', 'accept-language'].flatMap((name) => {
        const value = headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )
    const init = { method: method ?? 'GET', headers: passed, ...(sent !== '' && { body: sent }) }
    const result = await fetch(target + path, init)
    const body = (await result.json()) as object
    const seen = { path, body: sent === '' ? undefined : contentOf(JSON.parse(sent)) }
    requests.push(seen)
    const lie = await change(seen, body)
    return lie === undefined ? { status: result.status, body } : { status: 200, body: lie }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    forwardTo: (url) => void (target = url),
    lie: (next) => void (change = next),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString()
}

/** Returns the content of a request whose body contains its proof, too. */
function contentOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'dpop' in body && 'content' in body ? body.content : body
}
