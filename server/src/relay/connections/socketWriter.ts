import type { Writable } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Clock } from '../../kit/runtime/clock.ts'

/** Writes to a client's socket with backpressure. */
export type SocketWriter = {
  /** Sends a response. Ends the connection of a client that does not read its responses. */
  sendResponse(text: string): void
  /** Sends a message. Returns false if too much is buffered; `onDrain` is called when there is room again. */
  trySendMessage(write: () => string): boolean
  /** Ends the connection of a client that has not read anything for half a minute. */
  checkProgress(): void
  /** Ends the connection with a close code and a reason. */
  close(code: number, reason: string): void
}

export type SocketWriterDependencies = {
  socket: WebSocket
  /** The connection under the websocket. */
  stream: Pick<Writable, 'cork' | 'uncork'>
  clock: Clock
  /** Called when there is room for messages; often when there was room before. */
  onDrain(): void
}

/** Buffered bytes at which messages are paused, resumed, and the connection is ended. */
const limits = { pause: 1024 * 1024, resume: 512 * 1024, end: 4 * 1024 * 1024 } as const
const stuckTimeoutMs = 30_000

/** Creates the writer of a client's socket. */
export function createSocketWriter({ socket, stream, clock, onDrain }: SocketWriterDependencies): SocketWriter {
  let stuckSince: number | undefined
  let isCorked = false

  /** The frames of one turn of the event loop take one system call, which costs more than all other work on a frame. */
  function cork(): void {
    if (isCorked) return
    isCorked = true
    stream.cork()
    process.nextTick(() => {
      isCorked = false
      stream.uncork()
    })
  }

  function send(text: string): void {
    if (socket.readyState !== socket.OPEN) return
    cork()
    // A callback per message would cost more than most messages.
    if (socket.bufferedAmount > limits.resume) socket.send(text, checkDrained)
    else socket.send(text)
    // Messages wait in the mailbox; responses cannot wait.
    if (socket.bufferedAmount > limits.end) close(1013, 'Too slow')
  }

  function checkDrained(): void {
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount > limits.resume) return
    stuckSince = undefined
    onDrain()
  }

  function close(code: number, reason: string): void {
    if (socket.readyState === socket.OPEN) socket.close(code, reason)
  }

  return {
    sendResponse: send,
    trySendMessage(write) {
      if (socket.readyState !== socket.OPEN) return false
      if (stuckSince !== undefined || socket.bufferedAmount > limits.pause) {
        stuckSince ??= clock.now()
        return false
      }
      send(write())
      return true
    },
    checkProgress() {
      checkDrained()
      if (stuckSince !== undefined && clock.now() - stuckSince > stuckTimeoutMs) close(1013, 'Too slow')
    },
    close,
  }
}
