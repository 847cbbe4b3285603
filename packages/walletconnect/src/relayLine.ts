import type { Clock } from '@latchkey/core'

/** The part of the platform's WebSocket that is used; the package `ws` has it too. */
export type RelayWebSocket = {
  send(data: string): void
  close(code?: number): void
  onopen: unknown
  onmessage: unknown
  onclose: unknown
  onerror: unknown
}

export type LineOptions = {
  /** The address to dial, with a token made for it. */
  address(): Promise<string>
  createSocket(url: string): RelayWebSocket
  clock: Clock
}

/** What happens on a line. After `lost` nothing more does. */
export type LineListener = {
  opened(): void
  received(text: string): void
  /** With the code and reason of the close frame; 1006 when there was none. */
  lost(code: number, reason: string): void
}

/** One websocket, from dialling to its loss. */
export type RelayLine = {
  send(text: string): void
  /** Gives it up as dead: tells that it is lost. */
  drop(): void
  /** Ends it; tells nobody. */
  hangUp(): void
}

/** How long a relay may take to open a websocket, in milliseconds. */
const openWithin = 15_000

/** Dials a relay once. */
export function dialLine({ address, createSocket, clock }: LineOptions, listener: LineListener): RelayLine {
  let socket: RelayWebSocket | undefined
  let isOver = false
  const cancelAttempt = clock.after(openWithin, drop)
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
    // Scripts may not see what went wrong, and a close always follows; without a listener `ws` would throw.
    dialled.onerror = (): void => {}
  }

  function lose(code: number, reason: string): void {
    if (isOver) return
    end()
    listener.lost(code, reason)
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
    drop,
    send: (text) => socket?.send(text),
    hangUp() {
      if (!isOver) end(1000)
    },
  }
}
