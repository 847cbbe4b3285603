import type { WebSocket } from 'ws'
import type { Clock } from '../kit/clock.ts'

/** What goes to a client, no faster than it takes it. */
export type Outgoing = {
  /** Sends an answer. Whoever asks and never reads is sent away. */
  answer(text: string): void
  /** Sends a message; false when the client has enough to read already, and `onRoom` will tell when it has not. */
  offer(write: () => string): boolean
  /** Sends a client away that has taken nothing for half a minute. */
  checkProgress(): void
  /** Ends the connection with a code and words. */
  close(code: number, reason: string): void
}

export type OutgoingParts = {
  socket: WebSocket
  clock: Clock
  /** Called when there is room for messages, which there usually is. */
  onRoom(): void
}

/** Bytes on the way to the client at which messages wait in the mailbox, go on, and at which the connection is ended. */
const limits = { pause: 1024 * 1024, resume: 512 * 1024, end: 4 * 1024 * 1024 } as const
const stuckMilliseconds = 30_000

/** Makes the way out to a client. */
export function createOutgoing({ socket, clock, onRoom }: OutgoingParts): Outgoing {
  let stuckSince: number | undefined

  function send(text: string): void {
    if (socket.readyState !== socket.OPEN) return
    // A callback for each message would cost more than most messages do.
    if (socket.bufferedAmount > limits.resume) socket.send(text, lookForRoom)
    else socket.send(text)
    // Messages wait in the mailbox, but answers cannot.
    if (socket.bufferedAmount > limits.end) close(1013, 'Too slow')
  }

  function lookForRoom(): void {
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount > limits.resume) return
    stuckSince = undefined
    onRoom()
  }

  function close(code: number, reason: string): void {
    if (socket.readyState === socket.OPEN) socket.close(code, reason)
  }

  return {
    answer: send,
    offer(write) {
      if (socket.readyState !== socket.OPEN) return false
      if (stuckSince !== undefined || socket.bufferedAmount > limits.pause) {
        stuckSince ??= clock.now()
        return false
      }
      send(write())
      return true
    },
    checkProgress() {
      lookForRoom()
      if (stuckSince !== undefined && clock.now() - stuckSince > stuckMilliseconds) close(1013, 'Too slow')
    },
    close,
  }
}
