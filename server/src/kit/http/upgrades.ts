import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Access } from './access.ts'

/** Handles a request for an upgrade to a websocket. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** The paths of a server that accept upgrades. */
export type Upgrades = { handle(paths: readonly string[], upgrade: Upgrade): void }

/** Listens for upgrades, and rejects those of banned addresses with 403 and those at other paths with 404. */
export function createUpgrades(server: Server, access: Pick<Access, 'isAddressBanned'>): Upgrades {
  const handlers = new Map<string, Upgrade>()
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (access.isAddressBanned(request)) return rejectUpgrade(socket, 403, 'Forbidden', '')
    const handler = handlers.get((request.url ?? '').split('?', 1)[0] ?? '')
    if (handler === undefined) rejectUpgrade(socket, 404, 'Not Found', '')
    else handler(request, socket, head)
  })
  return { handle: (paths, upgrade) => paths.forEach((path) => handlers.set(path, upgrade)) }
}

/** Rejects an upgrade with a status and a body, and ends the connection. */
export function rejectUpgrade(
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
