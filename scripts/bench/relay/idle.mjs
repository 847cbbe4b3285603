// Clients that connect, listen on one topic each and then do nothing, in a process of its own.
import { randomBytes } from 'node:crypto'
import { connectClient, subscribe } from './client.mjs'

/** How many connect at the same time. */
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
