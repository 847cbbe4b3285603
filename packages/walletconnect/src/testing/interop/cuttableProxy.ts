import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy to a relay. It can cut connections below the websocket, without the clients' involvement. */
export type CuttableProxy = {
  /** The URL of the relay through the proxy. */
  readonly url: string
  /** The number of bytes from the relay so far. */
  bytesReceived(): number
  /** Resets all connections. Accepts new ones. */
  cut(): void
  /** Resets all connections and refuses new ones. */
  block(): void
  restore(): void
  close(): Promise<void>
}

/** Starts a proxy to a relay on loopback. It keeps no process alive. */
export async function startCuttableProxy(relayUrl: string): Promise<CuttableProxy> {
  const { protocol, hostname, port, pathname } = new URL(relayUrl)
  const sockets = new Set<Socket>()
  let isUp = true
  let received = 0

  const server = createServer((near) => {
    if (!isUp) return near.resetAndDestroy()
    const far = connect(Number(port), hostname)
    join(near, far)
    join(far, near)
    far.on('data', (bytes) => void (received += bytes.length))
  })

  function join(from: Socket, to: Socket): void {
    sockets.add(from)
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }

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
    cut,
    block() {
      isUp = false
      cut()
    },
    restore() {
      isUp = true
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
