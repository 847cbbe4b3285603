import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Takes a connection that asks for a websocket. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** The paths of a server at which connections may be upgraded. */
export type Upgrades = { on(paths: readonly string[], upgrade: Upgrade): void }

/** Listens for upgrades; at other paths than those that are named there is nothing to upgrade to. */
export function createUpgrades(server: Server): Upgrades {
  const takers = new Map<string, Upgrade>()
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const taker = takers.get((request.url ?? '').split('?', 1)[0] ?? '')
    if (taker === undefined) refuseUpgrade(socket, 404, 'Not Found', '')
    else taker(request, socket, head)
  })
  return { on: (paths, upgrade) => paths.forEach((path) => takers.set(path, upgrade)) }
}

/** Ends a connection that asked for a websocket with a status, and with what there is to say. */
export function refuseUpgrade(
  socket: Duplex,
  status: number,
  reason: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const all = { connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`)
}
