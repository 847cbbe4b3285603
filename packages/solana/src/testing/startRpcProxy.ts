import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getBase58Decoder, getTransactionDecoder } from '@solana/kit'

/** A proxy to a chain that tests can disconnect, or let return false responses. */
export type RpcProxy = {
  readonly url: string
  disconnect(): void
  reconnect(): void
  /** Responds to a method with this result. */
  respond(method: string, result: unknown): void
  /** Drops transactions of a method. The sender receives the signature, or what `respond` makes of it. */
  drop(method: string, respond?: (signature: string) => string): void
  respondTruthfully(): void
  close(): void
}

type RpcRequest = { id: unknown; method: string; params: readonly unknown[] }

export async function startRpcProxy(url: string): Promise<RpcProxy> {
  let isDisconnected = false
  const falseResponses = new Map<string, (params: readonly unknown[]) => unknown>()
  const server = createServer(async (request, response) => {
    if (isDisconnected) return void request.socket.destroy()
    const body = (await request.toArray()).join('')
    // Only clients of this package send requests in tests.
    const { id, method, params } = JSON.parse(body) as RpcRequest
    const falseResponse = falseResponses.get(method)
    response.setHeader('content-type', 'application/json')
    if (falseResponse !== undefined)
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: falseResponse(params) }))
    const upstream = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    response.end(await upstream.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens always has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    disconnect: () => void (isDisconnected = true),
    reconnect: () => void (isDisconnected = false),
    respond: (method, result) => void falseResponses.set(method, () => result),
    drop: (method, respond = (signature) => signature) =>
      void falseResponses.set(method, ([wire]) => respond(findSignature(String(wire)))),
    respondTruthfully: () => falseResponses.clear(),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function findSignature(wire: string): string {
  const { signatures } = getTransactionDecoder().decode(new Uint8Array(Buffer.from(wire, 'base64')))
  const [signature] = Object.values(signatures)
  return getBase58Decoder().decode(signature ?? new Uint8Array(64))
}
