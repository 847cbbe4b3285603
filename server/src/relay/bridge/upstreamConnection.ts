import { randomInt } from 'node:crypto'
import { WebSocket } from 'ws'
import { formatResult, parseFrame, type RelayRequest } from '../connections/parseFrame.ts'
import { RelayError } from '../errors.ts'

/** One connection to the upstream relay, until it ends. */
export type UpstreamConnection = {
  /**
   * Sends a request.
   *
   * @throws RelayError if the upstream relay refuses it
   * @throws ConnectionLostError if the connection ends before the response: the request may have been processed
   */
  request(method: string, params: object): Promise<unknown>
  readonly ended: Promise<ConnectionEnd>
  close(): void
}

/** The end of a connection: `refused` if another attempt soon would be refused, too. */
export type ConnectionEnd = { refused: boolean; reason: string }

/** The connection ended. */
export class ConnectionLostError extends Error {
  override readonly name: string = 'ConnectionLostError'
}

export type UpstreamConnectionOptions = {
  /** With token and project id: never log it. */
  url: string
  origin: string | undefined
  /** Handles a request or delivery of the upstream relay. It gets a response only if this resolves to true. */
  received(request: RelayRequest): Promise<boolean>
}

const connectTimeoutMs = 15_000
const responseTimeoutMs = 15_000
const pingIntervalMs = 20_000
const closeTimeoutMs = 1_000
const maxMissedPongs = 2
const refusedCode = 3000
/** The status of an upgrade that fails because of our configuration. */
const refusedStatuses: readonly number[] = [400, 401, 403, 404]

/** Opens a connection. Requests can be made at once and wait until it is open. */
export function openUpstreamConnection({ url, origin, received }: UpstreamConnectionOptions): UpstreamConnection {
  const socket = new WebSocket(url, {
    ...(origin === undefined ? {} : { origin }),
    handshakeTimeout: connectTimeoutMs,
    maxPayload: 1024 * 1024,
    perMessageDeflate: false,
  })
  const requests = createPendingRequests(() => socket.terminate())
  const heartbeat = startHeartbeat(socket)
  const opened = new Promise<void>((resolve) => socket.once('open', () => resolve()))
  let end: ConnectionEnd | undefined

  async function respond(request: RelayRequest): Promise<void> {
    const isDone = await received(request)
    if (isDone && socket.readyState === socket.OPEN) socket.send(formatResult(request.idToken, true))
  }

  socket.on('message', (data) => {
    heartbeat.reset()
    const text = String(data)
    const frame = parseFrame(text)
    if (frame.kind === 'request') void respond(frame.request)
    if (frame.kind === 'response') requests.settle(frame.id, JSON.parse(text))
  })
  socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
    end = { refused: refusedStatuses.includes(statusCode), reason: `HTTP ${statusCode}` }
    socket.terminate()
  })
  socket.on('error', (error) => (end ??= { refused: false, reason: error.message }))
  const ended = new Promise<ConnectionEnd>((resolve) => {
    socket.once('close', (code, reason) => {
      heartbeat.stop()
      requests.rejectAll()
      resolve(end ?? { refused: code === refusedCode, reason: `${code} ${String(reason)}`.trim() })
    })
  })

  return {
    async request(method, params) {
      await Promise.race([opened, ended])
      if (socket.readyState !== socket.OPEN) throw new ConnectionLostError()
      const { id, response } = requests.add()
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', method, params }))
      return response
    },
    ended,
    close() {
      socket.close(1000)
      setTimeout(() => socket.terminate(), closeTimeoutMs).unref()
    },
  }
}

/** Pings the upstream relay, and ends the connection if it stops responding. */
function startHeartbeat(socket: WebSocket): { reset(): void; stop(): void } {
  let missedPongs = 0
  const reset = (): void => {
    missedPongs = 0
  }
  for (const event of ['ping', 'pong'] as const) socket.on(event, reset)
  const timer = setInterval(() => {
    if (missedPongs >= maxMissedPongs) return socket.terminate()
    missedPongs += 1
    if (socket.readyState === socket.OPEN) socket.ping()
  }, pingIntervalMs)
  return { reset, stop: () => clearInterval(timer) }
}

type PendingRequest = { resolve: (result: unknown) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

type PendingRequests = {
  /** Creates an id, and a promise for its response. */
  add(): { id: number; response: Promise<unknown> }
  settle(id: number, response: { result?: unknown; error?: unknown }): void
  rejectAll(): void
}

function createPendingRequests(onTimeout: () => void): PendingRequests {
  const pending = new Map<number, PendingRequest>()

  return {
    add() {
      // Other processes are the same client upstream, so ids are random to be unique among them.
      const id = randomInt(2 ** 47, 2 ** 48 - 1)
      const response = new Promise<unknown>((resolve, reject) => {
        pending.set(id, { resolve, reject, timer: setTimeout(onTimeout, responseTimeoutMs) })
      })
      return { id, response }
    },
    settle(id, { result, error }) {
      const request = pending.get(id)
      if (request === undefined) return
      pending.delete(id)
      clearTimeout(request.timer)
      if (error === undefined || error === null) request.resolve(result)
      else request.reject(toRelayError(error))
    },
    rejectAll() {
      for (const { reject, timer } of pending.values()) {
        clearTimeout(timer)
        reject(new ConnectionLostError())
      }
      pending.clear()
    },
  }
}

function toRelayError(error: unknown): RelayError {
  const { code, message, data } = Object(error) as { code?: unknown; message?: unknown; data?: unknown }
  return new RelayError(
    typeof code === 'number' ? code : 0,
    typeof message === 'string' ? message : 'refused',
    typeof data === 'string' ? data : undefined,
  )
}
