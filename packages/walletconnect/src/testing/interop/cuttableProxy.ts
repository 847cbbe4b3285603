import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy to a relay. It can cut connections below the websocket, without the clients' involvement. */
export type CuttableProxy = {
  /** The URL of the relay through the proxy. */
  readonly url: string
  /** The number of bytes from the relay so far. */
  bytesReceived(): number
  /** The number of connections that clients opened so far. */
  connections(): number
  /** Resets all connections. Accepts new ones. */
  cut(): void
  /** Resets all connections and refuses new ones. */
  block(): void
  /** Resets all connections. New ones stay open without a byte, so that clients wait before they retry. */
  silence(): void
  /** Ends `block` or `silence`. */
  restore(): void
  close(): Promise<void>
}

/** Starts a proxy to a relay on loopback. It keeps no process alive. */
export async function startCuttableProxy(relayUrl: string): Promise<CuttableProxy> {
  const { protocol, hostname, port, pathname } = new URL(relayUrl)
  const sockets = new Set<Socket>()
  let isUp = true
  let isSilent = false
  let received = 0
  let opened = 0

  const server = createServer((near) => {
    opened += 1
    if (isSilent) return holdSilently(sockets, near)
    if (!isUp) return near.resetAndDestroy()
    const far = connect(Number(port), hostname)
    joinSockets(sockets, near, far)
    // After the relay was closed, clients with pending work must wait as well.
    far.once('error', () => holdSilently(sockets, near)).once('connect', () => joinSockets(sockets, far, near))
    far.on('data', (bytes) => void (received += bytes.length))
  })

  function cut(): void {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  server.unref().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this form.
  const { port: own } = server.address() as AddressInfo
  return {
    // The published clients accept a certificate that no authority signed from this name only.
    url: `${protocol}//${protocol === 'wss:' ? 'localhost' : '127.0.0.1'}:${own}${pathname}`,
    bytesReceived: () => received,
    connections: () => opened,
    cut,
    block() {
      isUp = false
      cut()
    },
    silence() {
      isSilent = true
      cut()
    },
    restore() {
      if (isSilent) cut()
      isUp = true
      isSilent = false
    },
    async close() {
      isUp = false
      cut()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

/** Keeps a connection open without a byte, until the client or `cut` ends it. */
function holdSilently(sockets: Set<Socket>, near: Socket): void {
  sockets.add(near.unref())
  near.on('error', () => {}).on('close', () => sockets.delete(near))
  near.resume()
}

/** Passes on the bytes of a connection, and its end. */
function joinSockets(sockets: Set<Socket>, from: Socket, to: Socket): void {
  sockets.add(from)
  from.pipe(to)
  from.on('error', () => to.destroy())
  from.on('close', () => {
    sockets.delete(from)
    to.destroy()
  })
}
