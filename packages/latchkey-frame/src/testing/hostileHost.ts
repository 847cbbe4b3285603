import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A host that forwards to an honest site, except for the requests that it handles itself. */
export type HostileHost = {
  readonly url: string
  /** Paths of all requests, with their queries. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

/** A response of the honest site that the host may change. */
export type ForwardedResponse = { status: number; headers: Headers; body: string }

export type HostileHostOptions = {
  /** URL of the honest site. */
  readonly behind: string
  /** Responds to a request itself. @returns true if it did */
  respond?(path: string, response: ServerResponse): boolean
  /** Changes a response of the honest site. */
  change?(path: string, response: ForwardedResponse): void
}

export async function startHostileHost({ behind, respond, change }: HostileHostOptions): Promise<HostileHost> {
  const requests: string[] = []
  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/'
    requests.push(path)
    if (respond?.(path, response) === true) return
    const honest = await fetch(behind + path, { redirect: 'manual', headers: { 'accept-encoding': 'identity' } })
    // The page names its own origin, which is this host's for its users.
    const body = (await honest.text()).replaceAll(behind, url)
    const forwarded = { status: honest.status, headers: new Headers(honest.headers), body }
    change?.(path, forwarded)
    for (const name of ['content-length', 'transfer-encoding', 'connection', 'keep-alive'])
      forwarded.headers.delete(name)
    response.writeHead(forwarded.status, Object.fromEntries(forwarded.headers))
    response.end(forwarded.body)
  }
  const server = createServer((request, response) => void handleRequest(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  const url = `http://localhost:${port}`
  return {
    url,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
