import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getField, getStringField } from '@latchkey/protocol'

/**
 * The response to a JSON-RPC method in place of the chain's: its result, computed from the true one. `lost` passes the
 * request on and closes the connection; `dropped` closes it at once.
 */
type Replacement = 'lost' | 'dropped' | ((result: unknown, params: readonly unknown[]) => unknown)

/** A proxy to a Polkadot node that tests can disconnect, or let return false responses. */
export type RpcProxy = {
  readonly url: string
  /** The methods of all requests. */
  readonly requests: readonly string[]
  disconnect(): void
  replace(method: string, by: Replacement): void
  respondTruthfully(): void
  close(): void
}

export async function startRpcProxy(chainUrl: string): Promise<RpcProxy> {
  let isDisconnected = false
  const replacements = new Map<string, Replacement>()
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    if (isDisconnected) return void request.socket.destroy()
    const body = (await request.toArray()).join('')
    const call: unknown = JSON.parse(body)
    const [method = '', params] = [getStringField(call, 'method'), getField(call, 'params')]
    requests.push(method)
    const replacement = replacements.get(method)
    if (replacement === 'dropped') return void request.socket.destroy()
    const headers = { 'content-type': 'application/json' }
    const upstream = await fetch(chainUrl, { method: 'POST', headers, body }).catch(() => undefined)
    const upstreamBody: unknown = await upstream?.json().catch(() => undefined)
    if (upstreamBody === undefined || replacement === 'lost') return void request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    const result =
      replacement === undefined
        ? upstreamBody
        : {
            jsonrpc: '2.0',
            id: 1,
            result: replacement(getField(upstreamBody, 'result'), Array.isArray(params) ? params : []),
          }
    response.end(JSON.stringify(result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens always has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    disconnect: () => void (isDisconnected = true),
    replace: (method, by) => void replacements.set(method, by),
    respondTruthfully: () => replacements.clear(),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
