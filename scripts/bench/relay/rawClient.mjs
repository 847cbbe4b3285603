// A websocket client of a few system calls, so that thousands of clients leave the processor to the relay. It understands what
// an idle relay sends: the upgrade, one response, and pings.
import { connect } from 'node:net'

const text = 0x81
const ping = 0x89
/** As real clients do, it gives up a connection that gets no response. */
const timeoutMs = 10_000
const emptyPong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

/**
 * Connects, and subscribes to a topic.
 *
 * @param {string} url the websocket of a relay
 * @param {{ query: string, topic: string, localAddress?: string | undefined }} options
 * @returns {Promise<import('node:net').Socket>}
 */
export function connectRaw(url, { query, topic, localAddress }) {
  const { hostname: host, port, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), ...(localAddress !== undefined && { localAddress }) })
    socket.setNoDelay(true)
    const timer = setTimeout(() => socket.destroy(new Error('The relay did not respond.')), timeoutMs)
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(timer)
      reject(new Error('The relay ended the connection.'))
    })
    socket.write(
      `GET ${pathname}?${query} HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    )
    socket.once('data', (head) => {
      if (!head.includes(' 101 ')) return socket.destroy(new Error(`The relay refused the connection: ${head}`))
      const request = { id: 1_000_000_000, jsonrpc: '2.0', method: 'irn_subscribe', params: { topic } }
      socket.write(frameOf(JSON.stringify(request)))
      socket.on('data', (data) => {
        // A ping has no payload. A response may follow it in the same data.
        const isPing = data[0] === ping
        if (isPing) socket.write(emptyPong)
        if (data[isPing ? 2 : 0] !== text) return
        clearTimeout(timer)
        resolve(socket)
      })
    })
  })
}

/** Frames a text of 126 to 65,535 bytes, masked with zeros. @param {string} content */
function frameOf(content) {
  const payload = Buffer.from(content)
  const head = Buffer.from([text, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0])
  return Buffer.concat([head, payload])
}
