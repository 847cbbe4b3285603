// The socket library alone: answers a subscription with an id and does nothing else. What a relay uses beyond this is its own.
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.on('message', () => socket.send(JSON.stringify({ id: 1, jsonrpc: '2.0', result: [] })))
})
server.on('listening', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
