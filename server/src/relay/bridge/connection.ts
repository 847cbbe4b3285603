import { randomInt } from 'node:crypto'
import { WebSocket } from 'ws'
import { RelayError } from '../errors.ts'
import { readFrame, writeResult, type RelayRequest } from '../frames.ts'

/** One connection to the other relay, until it ends. */
export type Connection = {
  /**
   * Asks the other relay.
   *
   * @throws RelayError when it refuses
   * @throws ConnectionLost when the connection ends before it answers: nobody knows what became of the request
   */
  request(method: string, params: object): Promise<unknown>
  readonly ended: Promise<Ending>
  close(): void
}

/** How a connection ended: `refused` when trying again soon is of no use. */
export type Ending = { refused: boolean; reason: string }

/** The connection is gone. */
export class ConnectionLost extends Error {}

export type ConnectionOptions = {
  /** With token and project: it belongs into no log. */
  url: string
  origin: string | undefined
  /** Handles what the other relay asks or delivers; it is answered only when this comes to true. */
  received(request: RelayRequest): Promise<boolean>
}

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

const connectMilliseconds = 15_000
const answerMilliseconds = 15_000
const pingMilliseconds = 20_000
const goodbyeMilliseconds = 1_000
const refusedCode = 3000
/** What an upgrade is answered when the fault is ours. */
const refusedStatuses: readonly number[] = [400, 401, 403, 404]

/** Connects; requests may be made at once and wait until the connection is open. */
export function openConnection({ url, origin, received }: ConnectionOptions): Connection {
  const socket = new WebSocket(url, {
    ...(origin === undefined ? {} : { origin }),
    handshakeTimeout: connectMilliseconds,
    maxPayload: 1024 * 1024,
    perMessageDeflate: false,
  })
  const waiting = new Map<number, Waiting>()
  const opened = new Promise<void>((resolve) => socket.once('open', () => resolve()))
  let missedBeats = 0
  let ending: Ending | undefined

  const heartbeat = setInterval(() => {
    if (missedBeats >= 2) return socket.terminate()
    missedBeats += 1
    if (socket.readyState === socket.OPEN) socket.ping()
  }, pingMilliseconds)

  function heard(text: string): void {
    missedBeats = 0
    const frame = readFrame(text)
    if (frame.kind === 'request') void answer(frame.request)
    if (frame.kind === 'answer') settle(frame.id, JSON.parse(text))
  }

  async function answer(request: RelayRequest): Promise<void> {
    const isDone = await received(request)
    if (isDone && socket.readyState === socket.OPEN) socket.send(writeResult(request.idToken, true))
  }

  function settle(id: number, { result, error }: { result?: unknown; error?: unknown }): void {
    const request = waiting.get(id)
    if (request === undefined) return
    waiting.delete(id)
    clearTimeout(request.timer)
    if (error === undefined || error === null) request.resolve(result)
    else request.reject(readError(error))
  }

  socket.on('message', (data) => heard(String(data)))
  for (const sign of ['ping', 'pong'] as const) socket.on(sign, () => (missedBeats = 0))
  socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
    ending = { refused: refusedStatuses.includes(statusCode), reason: `HTTP ${statusCode}` }
    socket.terminate()
  })
  socket.on('error', (error) => (ending ??= { refused: false, reason: error.message }))

  const ended = new Promise<Ending>((resolve) => {
    socket.once('close', (code, words) => {
      clearInterval(heartbeat)
      for (const { reject, timer } of waiting.values()) {
        clearTimeout(timer)
        reject(new ConnectionLost())
      }
      waiting.clear()
      resolve(ending ?? { refused: code === refusedCode, reason: `${code} ${String(words)}`.trim() })
    })
  })

  return {
    async request(method, params) {
      await Promise.race([opened, ended])
      if (socket.readyState !== socket.OPEN) throw new ConnectionLost()
      // Other processes are the same client there: by chance alone the ids of two never meet.
      const id = randomInt(2 ** 47, 2 ** 48 - 1)
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', method, params }))
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => socket.terminate(), answerMilliseconds)
        waiting.set(id, { resolve, reject, timer })
      })
    },
    ended,
    close() {
      socket.close(1000)
      setTimeout(() => socket.terminate(), goodbyeMilliseconds).unref()
    },
  }
}

function readError(error: unknown): RelayError {
  const { code, message, data } = Object(error) as { code?: unknown; message?: unknown; data?: unknown }
  return new RelayError(
    typeof code === 'number' ? code : 0,
    typeof message === 'string' ? message : 'refused',
    typeof data === 'string' ? data : undefined,
  )
}
