import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openAccessCommands } from '../../cli/openAccessCommands.ts'
import { startTestServer } from '../../testing/index.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>
type SlowNode = Awaited<ReturnType<typeof startSlowNode>>

const projectId = 'ab'.repeat(16)

let node: SlowNode
let server: Server

/** A node that responds to the upgrade of a connection only when the test tells it to. */
async function startSlowNode() {
  const sockets = new WebSocketServer({ noServer: true })
  const waiting: (() => void)[] = []
  const http = createServer()
  http.on('upgrade', (request, stream, head) => {
    stream.on('error', () => undefined)
    // Reads, so that it notices the end of the connection.
    stream.once('end', () => stream.destroy()).resume()
    waiting.push(() => sockets.handleUpgrade(request, stream, head, () => undefined))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has this type.
  const { port } = http.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}`,
    connections: () => new Promise<number>((resolve) => http.getConnections((_error, count) => resolve(count))),
    waiting: () => waiting.length,
    respond: () => waiting.splice(0).forEach((respond) => respond()),
    close() {
      http.closeAllConnections()
      for (const socket of sockets.clients) socket.terminate()
      http.close()
    },
  }
}

beforeAll(async () => {
  node = await startSlowNode()
  server = await startTestServer({
    services: ['api'],
    chains: [
      {
        caipNetworkId: 'eip155:31337',
        name: 'Slow',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: ['http://127.0.0.1:1'],
        wsUrls: [node.url],
        tokens: [],
      },
    ],
  })
})
afterAll(async () => {
  await server.close()
  node.close()
})

const path = `/v1?${new URLSearchParams({ projectId, chainId: 'eip155:31337' })}`

test('a client that resets its connection leaves none to a node that does not respond', async () => {
  const { hostname, port } = new URL(server.url)
  const clients = Array.from({ length: 10 }, () => {
    const client = connect({ host: hostname, port: Number(port) })
    client.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`,
    )
    return client
  })
  await expect.poll(node.waiting).toBe(clients.length)
  for (const client of clients) client.resetAndDestroy()
  // The server would otherwise wait ten seconds for the node.
  await vi.waitFor(async () => expect(await node.connections()).toBe(0), 5_000)
})

test('a project that is banned while the node does not respond gets no connection', async () => {
  node.respond()
  const commands = await openAccessCommands({ DATABASE_URL: server.databaseUrl }, Fastify({ logger: false }).log)
  const client = new WebSocket(`${server.url.replace('http', 'ws')}${path}`)
  client.on('error', () => undefined)
  await expect.poll(node.waiting).toBe(1)
  await commands.ban(projectId)
  const history = `${server.url}/v1/account/0x${'0'.repeat(40)}/history?projectId=${projectId}`
  await expect.poll(async () => (await fetch(history)).status).toBe(401)
  node.respond()
  await vi.waitFor(() => expect(client.readyState).toBe(WebSocket.CLOSED), 10_000)
  await commands.unban(projectId)
  await commands.close()
})
