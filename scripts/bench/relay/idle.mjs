// Runs idle clients in a separate process. Each subscribes to a topic.
import { randomBytes } from 'node:crypto'
import { connectClient, subscribe } from './client.mjs'

/** Number of simultaneous connection attempts. */
const side = 50

process.once('message', (message) => {
  const { url, sockets } = /** @type {{ url: string, sockets: number }} */ (message)
  open(url, sockets).then(
    () => process.send?.('open'),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.send?.('ready')

/** @param {string} url @param {number} sockets */
async function open(url, sockets) {
  let left = sockets
  const work = async () => {
    while (left > 0) {
      left -= 1
      const socket = await connectClient(url, () => {})
      await subscribe(socket, [randomBytes(32).toString('hex')])
    }
  }
  await Promise.all(Array.from({ length: side }, work))
}
