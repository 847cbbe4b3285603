import type { Clock } from '@latchkey/core'

/** The required subset of the platform's WebSocket. The package `ws` implements it, too. */
export type RelayWebSocket = {
  send(data: string): void
  close(code?: number): void
  onopen: unknown
  onmessage: unknown
  onclose: unknown
  onerror: unknown
}

export type RelayConnectionOptions = {
  /** The address to connect to, with a token for it. */
  address(): Promise<string>
  createSocket(url: string): RelayWebSocket
  clock: Clock
}

/** The events of a connection. `closed` is the last one. */
export type RelayConnectionListener = {
  opened(): void
  received(text: string): void
  /** With the code and reason of the close frame, or 1006 without one. */
  closed(code: number, reason: string): void
}

/** One websocket, from connecting to closing. */
export type RelayConnection = {
  send(text: string): void
  /** Treats the connection as dead and reports it as closed. */
  abort(): void
  /** Closes the connection without a `closed` event. */
  close(): void
}

const openTimeoutMs = 15_000

/** Connects to a relay once. */
export function openRelayConnection(
  { address, createSocket, clock }: RelayConnectionOptions,
  listener: RelayConnectionListener,
): RelayConnection {
  let socket: RelayWebSocket | undefined
  let isOver = false
  const cancelAttempt = clock.after(openTimeoutMs, drop)
  address()
    .then((url) => {
      if (!isOver) follow(createSocket(url))
    })
    .catch(drop)

  function follow(dialled: RelayWebSocket): void {
    socket = dialled
    dialled.onopen = (): void => {
      cancelAttempt()
      if (!isOver) listener.opened()
    }
    dialled.onmessage = ({ data }: { data: unknown }): void => {
      if (!isOver && typeof data === 'string') listener.received(data)
    }
    dialled.onclose = ({ code, reason }: { code: number; reason: string }): void => lose(code, reason)
    // Browsers hide the cause, and a close event always follows. Without a listener, `ws` would throw.
    dialled.onerror = (): void => {}
  }

  function lose(code: number, reason: string): void {
    if (isOver) return
    end()
    listener.closed(code, reason)
  }

  function end(code?: number): void {
    isOver = true
    cancelAttempt()
    socket?.close(code)
  }

  function drop(): void {
    lose(1006, '')
  }

  return {
    abort: drop,
    send: (text) => socket?.send(text),
    close() {
      if (!isOver) end(1000)
    },
  }
}
