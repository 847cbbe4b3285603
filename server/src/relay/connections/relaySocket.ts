import type { Writable } from 'node:stream'
import type { WebSocket } from 'ws'
import { createTokenBucket } from '../../kit/limits/tokenBucket.ts'
import { tooManyRequests } from '../errors.ts'
import type { AddressMemory } from '../limits/addressMemory.ts'
import type { Tracing } from '../../kit/tracing/tracing.ts'
import type { ClientSession, ClientSessionDependencies } from './clientSession.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { dispatchRequest } from './dispatchRequest.ts'
import { openClientSession } from './openClientSession.ts'
import { formatError, parseFrame, type Frame, type RelayRequest } from './parseFrame.ts'
import { createResponseReceipts, type ResponseReceipts } from './responseReceipts.ts'
import { createSocketWriter, type SocketWriter } from './socketWriter.ts'

/** One client's connection. */
export type RelaySocket = {
  readonly clientId: string
  /** Pings the client, and ends the connection after two missed pongs. */
  checkAlive(): void
  /** Ends the connection if the client has not read anything for half a minute. Repeats overdue deliveries. */
  checkProgress(): void
  /** Ends the connection with a close code and a reason. */
  close(code: number, reason: string): void
  /** Ends the session, because the connection has ended. */
  end(): void
  /** Resolves when the connection has ended. A method, because few wait for it, and a promise with its listener takes 400 bytes. */
  closed(): Promise<void>
}

export type RelaySocketDependencies = Omit<ClientSessionDependencies, 'push' | 'forgetSent'> & {
  socket: WebSocket
  /** The connection under the websocket. */
  stream: Writable
  /** The memory of the connections of the client's address. */
  memory: Pick<AddressMemory, 'isFull' | 'change'>
  tracing?: Tracing | undefined
}

/** Requests of one client that are processed concurrently, and the characters of their frames. */
const maxPending = { requests: 64, characters: 2 * 1024 * 1024 } as const
/** Characters of a response to a delivery. Larger ones count as requests. */
const maxReceiptLength = 4_096
/** Characters of a frame that is charged to the memory of its address while it is processed. */
const leastCharged = 4_096
/** Consecutive requests over the rate limit that get a response before the connection is closed. */
const maxRefusals = 10
const maxMissedPongs = 2

/** Serves one connection, whose end the caller reports with `end`. */
export function serveRelaySocket(dependencies: RelaySocketDependencies): RelaySocket {
  const { socket, clientId } = dependencies
  const writer = createSocketWriter({ ...dependencies, onDrain: () => session.resume() })
  const deliveries = createDeliveries({
    ...dependencies,
    writer,
    attest: (message) => session.attest(message),
    onRoom: () => session.resume(),
  })
  const session = openClientSession({ ...dependencies, push: deliveries.push, forgetSent: deliveries.forgetSent })
  const receipts = createResponseReceipts({
    ping(data) {
      if (socket.readyState === socket.OPEN) socket.ping(data)
    },
    acknowledge: (receipt) => session.acknowledge(receipt),
  })
  const handleText = createFrameHandler(dependencies, { session, writer, deliveries, receipts })
  let missedPongs = 0

  socket.on('message', (data, isBinary) => {
    if (isBinary) writer.close(1003, 'Text only')
    else handleText(String(data))
  })
  socket.on('pong', (data) => {
    missedPongs = 0
    receipts.receivePong(data)
  })
  // The library ends the connection itself; without a listener the error would end the process.
  socket.on('error', () => undefined)

  return {
    clientId,
    checkProgress() {
      writer.checkProgress()
      // Frames that still wait to be sent are not lost.
      if (socket.bufferedAmount === 0) session.redeliver(deliveries.takeOverdue())
    },
    checkAlive() {
      if (missedPongs >= maxMissedPongs) return socket.terminate()
      missedPongs += 1
      socket.ping()
    },
    close: writer.close,
    end() {
      session.end()
      writer.end()
    },
    async closed() {
      if (socket.readyState !== socket.CLOSED) await new Promise((resolve) => socket.once('close', resolve))
    },
  }
}

type FrameHandlerDependencies = {
  session: ClientSession
  writer: SocketWriter
  deliveries: Deliveries
  receipts: ResponseReceipts
}

/** Creates the handler of a client's text frames: acknowledgements and rate-limited requests. */
function createFrameHandler(
  { socket, source, memory, limits, clock, metrics, onFault }: RelaySocketDependencies,
  { session, writer, deliveries, receipts }: FrameHandlerDependencies,
): (text: string) => void {
  const bucket = createTokenBucket(limits.rate, clock)
  let refusals = 0
  const pending = { requests: 0, characters: 0 }

  async function respond(request: RelayRequest, size: number): Promise<void> {
    const charged = size < leastCharged ? 0 : size
    pending.requests += 1
    pending.characters += size
    if (charged > 0) memory.change(source.address, charged)
    // Backpressure: the requests of a client that is faster than the relay wait on the client's side.
    if (pending.requests >= maxPending.requests || pending.characters >= maxPending.characters) socket.pause()
    if (charged > 0 && memory.isFull(source.address)) socket.pause()
    const { text, after, receipts: inResponse } = await dispatchRequest(session, request, onFault, metrics.countRequest)
    pending.requests -= 1
    pending.characters -= size
    if (charged > 0) memory.change(source.address, -charged)
    if (socket.isPaused) socket.resume()
    // The publisher gets its response before the message is delivered: clients wait forever for a response that comes second.
    writer.sendResponse(text)
    after?.()
    if (inResponse !== undefined) receipts.add(inResponse)
  }

  function refuse(idToken: string): void {
    refusals += 1
    metrics.countRequest('', tooManyRequests())
    if (refusals > maxRefusals) return writer.close(1013, 'Too Many Requests')
    writer.sendResponse(formatError(idToken, tooManyRequests()))
  }

  /** True if a frame is the response to a delivery. Others cost as much as requests, so they count as such. */
  function takeReceipt(frame: Frame, size: number): boolean {
    if (frame.kind !== 'response') return false
    const message = deliveries.takeMessage(frame.id)
    if (message !== undefined && frame.ok) session.acknowledge(message)
    return deliveries.countResponse() && size <= maxReceiptLength
  }

  return (text) => {
    // A client that was refused may go on without a closing frame.
    if (refusals > maxRefusals) return
    receipts.receiveFrame()
    const frame = parseFrame(text)
    if (takeReceipt(frame, text.length)) return
    if (!bucket.take().ok) return refuse(idTokenOf(frame))
    refusals = 0
    if (frame.kind === 'invalid') return writer.sendResponse(formatError(frame.idToken, frame.error))
    if (frame.kind === 'request') void respond(frame.request, text.length)
  }
}

function idTokenOf(frame: Frame): string {
  if (frame.kind === 'request') return frame.request.idToken
  return frame.kind === 'invalid' ? frame.idToken : '0'
}
