import { createObservable, type Observable } from '../primitives/observable.ts'
import type { UnknownRecord } from '../primitives/unknownRecord.ts'
import { walletConnectError } from '../walletConnectError.ts'
import { createBackoff, type Backoff } from './backoff.ts'
import {
  createPendingRelayRequests,
  type PendingRelayRequest,
  type PendingRelayRequests,
  type RelayRequestOptions,
} from './pendingRelayRequests.ts'
import { openRelayConnection, type RelayConnection, type RelayConnectionOptions } from './relayConnection.ts'
import type { RelayFailover } from './relayFailover.ts'
import { formatAcknowledgement, parseRelayFrame } from './relayFrame.ts'
import type { RelayStatus } from './relayStatus.ts'
import { createWakeDetector, type WakeDetector } from './wakeDetector.ts'

export type ReconnectingSocketOptions = Omit<RelayConnectionOptions, 'address'> & {
  /** Chooses the address of each connection. */
  failover: RelayFailover
  /** The relay's origin, for errors. */
  origin: string
  /** Calls `wake` when the network may have changed (network back, page visible). Returns a function that stops it. */
  onWake(wake: () => void): () => void
  /** True if the socket must stay open without pending requests. */
  isNeeded(): boolean
  /** Called on each open, before pending requests are sent, and to test a connection that was silent for long. */
  onOpen(): void
  /** Called with each push, already acknowledged. */
  onPush(params: UnknownRecord): void
}

/** A websocket to a relay that opens on demand and reconnects by itself. */
export type ReconnectingSocket = {
  readonly status: Observable<RelayStatus>
  /**
   * Sends a request and waits for the response. After a reconnect it is sent again with the same id.
   *
   * @throws LatchkeyError `relay/unreachable`, `relay/refused`, or `request/failed` with the relay's code
   */
  request(method: string, params: object, options: RelayRequestOptions): Promise<unknown>
  /** Connects now instead of at the next retry. Use it while a user is waiting. Idempotent. */
  open(): void
  /** Adds the reason of a refused subscription to the status, or removes it. */
  reportRefusal(reason: string | undefined): void
  /** Opens the socket if something needs it, closes it otherwise. */
  openOrClose(): void
  /** Closes the socket. Pending requests reject with `relay/unreachable`. */
  close(): void
}

const timeoutsMs = { response: 10_000, silence: 30_000 } as const

/** The close code by which a relay permanently refuses a client. */
const refusedCode = 3000

/** The dependencies and the mutable state of one socket. */
type SocketState = {
  readonly options: ReconnectingSocketOptions
  readonly status: ReturnType<typeof createObservable<RelayStatus>>
  readonly requests: PendingRelayRequests
  readonly backoff: Backoff
  readonly wakeDetector: WakeDetector
  connection: RelayConnection | undefined
  receivedAt: number
  /** True if the relay responded on the current connection. */
  hadResponse: boolean
}

/** Creates a socket. It connects on first need. */
export function createReconnectingSocket(options: ReconnectingSocketOptions): ReconnectingSocket {
  const { clock, origin, onWake } = options
  const socket: SocketState = {
    options,
    status: createObservable<RelayStatus>({ state: 'idle' }),
    requests: createPendingRelayRequests(clock, origin, () => openOrClose(socket)),
    backoff: createBackoff(clock),
    wakeDetector: createWakeDetector(clock, onWake, () => reviveConnection(socket)),
    connection: undefined,
    receivedAt: 0,
    hadResponse: false,
  }
  return {
    status: socket.status,
    openOrClose: () => openOrClose(socket),
    reportRefusal(reason) {
      const current = socket.status.get()
      if (current.state !== 'open' || current.refusal === reason) return
      socket.status.set(reason === undefined ? { state: 'open' } : { state: 'open', refusal: reason })
    },
    open() {
      const { state } = socket.status.get()
      if (state !== 'open' && state !== 'connecting') openConnection(socket)
    },
    request(method, params, requestOptions) {
      const { request, response } = socket.requests.add(method, params, requestOptions)
      const { state } = socket.status.get()
      // A new request ends the states idle and refused. A scheduled retry stays scheduled.
      if (state === 'idle' || state === 'refused') openConnection(socket)
      sendRequest(socket, request)
      return response
    },
    close() {
      closeConnection(socket)
      socket.requests.rejectAll(walletConnectError('relay/unreachable', { origin }))
    },
  }
}

function openConnection(socket: SocketState): void {
  const { backoff, options, status, wakeDetector } = socket
  backoff.cancel()
  wakeDetector.start()
  socket.hadResponse = false
  socket.connection = openRelayConnection(
    { ...options, address: options.failover.address },
    {
      opened: () => onOpened(socket),
      received: (text) => onReceived(socket, text),
      closed: (code, reason) => onClosed(socket, code, reason),
    },
  )
  status.set({ state: 'connecting' })
}

function onOpened(socket: SocketState): void {
  socket.receivedAt = socket.options.clock.now()
  const pending = socket.requests.list()
  socket.status.set({ state: 'open' })
  socket.options.onOpen()
  for (const request of pending) sendRequest(socket, request)
}

function sendRequest({ connection, options, status }: SocketState, request: PendingRelayRequest): void {
  if (connection === undefined || status.get().state !== 'open') return
  connection.send(request.frame)
  // A connection can be dead without a close event. Only a missing response reveals it.
  request.cancelResponseTimeout()
  request.cancelResponseTimeout = options.clock.after(timeoutsMs.response, connection.abort)
  request.isSent = true
  request.options.onSent?.()
}

function onReceived(socket: SocketState, text: string): void {
  socket.receivedAt = socket.options.clock.now()
  const frame = parseRelayFrame(text)
  if (frame === undefined) return
  // Some relays send an error before they refuse a client.
  if (frame.kind !== 'error') {
    socket.backoff.reset()
    socket.hadResponse = true
  }
  if (frame.kind !== 'request') return socket.requests.settle(frame)
  socket.connection?.send(formatAcknowledgement(frame.idToken))
  if (frame.method.endsWith('_subscription')) socket.options.onPush(frame.params)
}

function onClosed(socket: SocketState, code: number, reason: string): void {
  const { backoff, hadResponse, options, requests, status } = socket
  socket.connection = undefined
  requests.interrupt()
  const refusal = code === refusedCode ? reason : undefined
  const attempt = options.failover.nextAttempt({ hadResponse, refusal })
  if (attempt === 'never') {
    stopRetries(socket, { state: 'refused', reason })
    requests.rejectAll(walletConnectError('relay/refused', { reason }))
  } else if (!isSocketNeeded(socket)) stopRetries(socket, { state: 'idle' })
  else if (attempt === 'now') openConnection(socket)
  else status.set({ state: 'waiting', retryAt: backoff.schedule(() => openConnection(socket)) })
}

/** Stops retries until the next need. */
function stopRetries({ backoff, status, wakeDetector }: SocketState, next: RelayStatus): void {
  backoff.cancel()
  backoff.reset()
  wakeDetector.stop()
  status.set(next)
}

function reviveConnection(socket: SocketState): void {
  const { clock, onOpen } = socket.options
  const { state } = socket.status.get()
  if (state === 'waiting') openConnection(socket)
  // Phones cut the sockets of hidden pages without a close event. Any request detects it.
  else if (state === 'open' && clock.now() - socket.receivedAt > timeoutsMs.silence) onOpen()
}

function isSocketNeeded({ options, requests }: SocketState): boolean {
  return requests.size > 0 || options.isNeeded()
}

function openOrClose(socket: SocketState): void {
  const { state } = socket.status.get()
  if (!isSocketNeeded(socket)) closeConnection(socket)
  else if (state === 'idle') openConnection(socket)
}

function closeConnection(socket: SocketState): void {
  const { connection, status } = socket
  socket.connection = undefined
  if (status.get().state !== 'idle' && status.get().state !== 'refused') stopRetries(socket, { state: 'idle' })
  connection?.close()
}
