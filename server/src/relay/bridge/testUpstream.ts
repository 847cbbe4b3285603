import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** A request as a client sent it. */
export type UpstreamRequest = { id: number; method: string; params: Record<string, unknown> }

/** The response of a relay, `result` or `error`. `undefined` leaves a request without a response. */
export type Behaviour = (request: UpstreamRequest, socket: WebSocket) => object | undefined

/** A relay for tests, with scripted responses. */
export type TestUpstream = {
  url: string
  upgrades: readonly IncomingMessage[]
  sockets: readonly WebSocket[]
  received: readonly UpstreamRequest[]
  close(): void
}

/** Starts a relay with scripted responses on a free port of this machine. */
export async function startTestUpstream(behave: Behaviour): Promise<TestUpstream> {
  const upgrades: IncomingMessage[] = []
  const received: UpstreamRequest[] = []
  const sockets: WebSocket[] = []
  const http = createServer()
  new WebSocketServer({ server: http }).on('connection', (socket, upgrade) => {
    upgrades.push(upgrade)
    sockets.push(socket)
    socket.on('message', (data) => {
      // The bridge under test wrote it.
      const request = JSON.parse(String(data)) as UpstreamRequest
      received.push(request)
      const response = behave(request, socket)
      if (response !== undefined) socket.send(JSON.stringify({ id: request.id, jsonrpc: '2.0', ...response }))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = http.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}/`,
    upgrades,
    sockets,
    received,
    close() {
      for (const socket of sockets) socket.terminate()
      http.close()
    },
  }
}
