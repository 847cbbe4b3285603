import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a relay that can be cut below the websocket, where no client has a hand in it. */
export type Line = {
  /** Where the relay is reached through it. */
  readonly url: string
  /** How many bytes came from the relay so far. */
  received(): number
  /** Resets the present connections; new ones come up. */
  cut(): void
  /** Resets the present connections, and all that are tried from now on. */
  block(): void
  mend(): void
  close(): Promise<void>
}

/** Lays a line to a relay on loopback. It keeps no process alive. */
export async function layLine(relayUrl: string): Promise<Line> {
  const { hostname, port, pathname } = new URL(relayUrl)
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
    url: `ws://127.0.0.1:${own}${pathname}`,
    received: () => received,
    cut,
    block() {
      isUp = false
      cut()
    },
    mend() {
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
