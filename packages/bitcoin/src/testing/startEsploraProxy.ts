import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The response of a proxy in place of its chain's; `lost` passes the request on and closes the connection. */
type Replacement = 'lost' | 'dropped' | ((body: string) => string)

/** A proxy to an Esplora service that tests can disconnect, or let return false responses. */
export type EsploraProxy = {
  readonly url: string
  disconnect(): void
  /** Replaces the responses to requests whose method and path match: `GET /fee-estimates`. */
  replace(request: RegExp, by: Replacement): void
  respondTruthfully(): void
  close(): void
}

export async function startEsploraProxy(chainUrl: string): Promise<EsploraProxy> {
  let isDisconnected = false
  let replacements: ReadonlyArray<readonly [RegExp, Replacement]> = []
  const server = createServer(async (request, response) => {
    if (isDisconnected) return void request.socket.destroy()
    const { method = 'GET', url = '/' } = request
    const body = (await request.toArray()).join('')
    const [, replacement] = replacements.find(([pattern]) => pattern.test(`${method} ${url}`)) ?? []
    if (replacement === 'dropped') return void request.socket.destroy()
    const upstream = await fetch(`${chainUrl}${url}`, { method, ...(method === 'POST' ? { body } : {}) }).catch(
      () => undefined,
    )
    const text = await upstream?.text().catch(() => undefined)
    // A chain that is closed before it responds is unreachable, too.
    if (upstream === undefined || text === undefined || replacement === 'lost') return void request.socket.destroy()
    response.writeHead(upstream.status).end(replacement === undefined ? text : replacement(text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens always has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    disconnect: () => void (isDisconnected = true),
    replace: (request, by) => void (replacements = [...replacements, [request, by]]),
    respondTruthfully: () => void (replacements = []),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
