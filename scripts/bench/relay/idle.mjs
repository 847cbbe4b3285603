// Runs idle clients in a separate process. Each subscribes to a topic. They reconnect when the bench tells them to.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createQuery } from './client.mjs'
import { connectRaw } from './rawClient.mjs'

/** @typedef {{ url: string, sockets: number, network?: string }} IdleOptions */
/** @typedef {{ query: string, topic: string, localAddress?: string, socket: import('node:net').Socket }} IdleClient */

/** Number of simultaneous connection attempts. */
const concurrency = 50
const retryMs = 1_000
/** The system needs long to find a free port of an address that has used most of them. */
const addresses = 200

/** @type {IdleClient[]} */
const clients = []
/** @type {IdleOptions} */
let options

process.on('message', (message) => {
  const command = /** @type {IdleOptions | { overSeconds: number }} */ (message)
  if ('url' in command) options = command
  const done = 'url' in command ? open(command.sockets) : reconnect(command.overSeconds)
  done.then(
    (result) => process.send?.(result),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.send?.('ready')

/** @param {number} sockets */
async function open(sockets) {
  let left = sockets
  const work = async () => {
    while (left > 0) {
      left -= 1
      const client = {
        query: createQuery(options.url),
        topic: randomBytes(32).toString('hex'),
        ...(options.network !== undefined && { localAddress: `${options.network}.${(left % addresses) + 1}` }),
      }
      clients.push({ ...client, socket: await connect(client) })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return 'open'
}

/**
 * Breaks all connections at once. Each client reconnects and subscribes at a random time, and again a second later if it fails.
 *
 * @param {number} overSeconds
 * @returns {Promise<{ seconds: number, failures: number }>} the time until the last client was back
 */
async function reconnect(overSeconds) {
  const startedAt = performance.now()
  let failures = 0
  for (const { socket } of clients) socket.destroy()
  await Promise.all(
    clients.map(async (client) => {
      await sleep(Math.random() * overSeconds * 1_000)
      for (;;) {
        const socket = await connect(client).catch(() => undefined)
        if (socket !== undefined) return void (client.socket = socket)
        failures += 1
        await sleep(retryMs)
      }
    }),
  )
  return { seconds: (performance.now() - startedAt) / 1_000, failures }
}

/** @param {Omit<IdleClient, 'socket'>} client */
function connect(client) {
  return connectRaw(options.url, client)
}
