import type { Writable } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { AddressMemory } from '../limits/addressMemory.ts'
import { encodeTextFrame } from './encodeTextFrame.ts'

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
  /** Frees the memory that the address was charged, because the connection has ended. */
  end(): void
}

export type SocketWriterDependencies = {
  socket: WebSocket
  /** The connection under the websocket, which compresses nothing. */
  stream: Pick<Writable, 'cork' | 'uncork' | 'write'>
  clock: Clock
  /** The memory of the connections of the client's address. */
  memory: Pick<AddressMemory, 'isFull' | 'change'>
  source: { address: string }
  /** Called when there is room for messages; often when there was room before. */
  onDrain(): void
}

/** Buffered bytes at which messages are paused, resumed, and the connection is ended. */
const limits = { pause: 1024 * 1024, resume: 512 * 1024, end: 4 * 1024 * 1024 } as const
const stuckTimeoutMs = 30_000
/** Buffered bytes are charged to the address in these steps, so that the frames of most clients cost nothing. */
const chargedStep = 64 * 1024

/** Creates the writer of a client's socket. */
export function createSocketWriter({
  socket,
  stream,
  clock,
  memory,
  source,
  onDrain,
}: SocketWriterDependencies): SocketWriter {
  const charge: BufferCharge = { memory, address: source.address, bytes: 0 }
  const cork = createCork(stream)
  let stuckSince: number | undefined

  function send(text: string): void {
    if (socket.readyState !== socket.OPEN) return
    cork()
    // A callback per message would cost more than most messages.
    if (socket.bufferedAmount > limits.resume) stream.write(encodeTextFrame(text), checkDrained)
    else stream.write(encodeTextFrame(text))
    updateCharge(charge, socket)
    // Messages wait in the mailbox; responses cannot wait.
    if (socket.bufferedAmount > limits.end) close(1013, 'Too slow')
  }

  function checkDrained(): void {
    updateCharge(charge, socket)
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount > limits.resume) return
    stuckSince = undefined
    onDrain()
  }

  function close(code: number, reason: string): void {
    if (socket.readyState === socket.OPEN) socket.close(code, reason)
  }

  return {
    sendResponse(text) {
      // One long response is no sign of a client that does not read.
      if (socket.bufferedAmount > limits.resume && isExceeded(charge, socket)) close(1013, 'Too slow')
      send(text)
    },
    trySendMessage(write) {
      if (socket.readyState !== socket.OPEN) return false
      if (stuckSince !== undefined || socket.bufferedAmount > limits.pause || isExceeded(charge, socket)) {
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
    end: () => setCharge(charge, 0),
  }
}

/** The frames of one turn of the event loop take one system call, which costs more than all other work on a frame. */
function createCork(stream: SocketWriterDependencies['stream']): () => void {
  let isCorked = false
  return () => {
    if (isCorked) return
    isCorked = true
    stream.cork()
    process.nextTick(() => {
      isCorked = false
      stream.uncork()
    })
  }
}

/** The buffered bytes of a socket that are charged to its address. Without functions of its own: idle sockets are many. */
type BufferCharge = {
  readonly memory: Pick<AddressMemory, 'isFull' | 'change'>
  readonly address: string
  bytes: number
}

function setCharge(charge: BufferCharge, bytes: number): void {
  if (bytes !== charge.bytes) charge.memory.change(charge.address, bytes - charge.bytes)
  charge.bytes = bytes
}

function updateCharge(charge: BufferCharge, socket: WebSocket): void {
  // Callbacks of frames may come after the end.
  if (socket.readyState === socket.CLOSED) return
  const buffered = socket.bufferedAmount
  setCharge(charge, buffered - (buffered % chargedStep))
}

/** True if the address has its maximum, and this client has a part in it: others of the address go on. */
function isExceeded(charge: BufferCharge, socket: WebSocket): boolean {
  if (charge.bytes === 0) return false
  updateCharge(charge, socket)
  return charge.bytes > 0 && charge.memory.isFull(charge.address)
}
