import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A chain's endpoint with scripted behaviour. */
export type RpcNode = {
  url: string
  /** The received requests, in order; a batch counts as one. */
  requests: readonly unknown[]
  close(): Promise<void>
}

/** The behaviour of a node: returns the response body, or responds itself. */
export type RpcBehaviour = (body: unknown, response: ServerResponse) => unknown

/** Starts an endpoint on a free port of this machine. */
export async function startRpcNode(behave: RpcBehaviour): Promise<RpcNode> {
  const requests: unknown[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      requests.push(body)
      const result = behave(body, response)
      if (result !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text)
}
