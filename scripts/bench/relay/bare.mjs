// A minimal relay: the socket library that forwards messages in memory. Any cost above this baseline is caused by our
// relay.
import { WebSocketServer } from 'ws'

/** @type {Map<string, import('ws').WebSocket>} */
const listeners = new Map()
let lastId = 0

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.on('message', (data) => {
    const { id, method, params } = JSON.parse(String(data))
    if (method === undefined) return
    for (const topic of params.topics ?? []) listeners.set(topic, socket)
    socket.send(`{"id":${id},"jsonrpc":"2.0","result":true}`)
    if (params.message === undefined) return
    lastId += 1
    const push = { id: params.topic, data: { topic: params.topic, message: params.message } }
    listeners
      .get(params.topic)
      ?.send(`{"id":${lastId},"jsonrpc":"2.0","method":"irn_subscription","params":${JSON.stringify(push)}}`)
  })
})
server.on('listening', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
