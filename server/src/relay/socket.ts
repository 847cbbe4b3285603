import type { FastifyBaseLogger } from 'fastify'
import type { WebSocket } from 'ws'
import type { Clock } from '../kit/clock.ts'
import { createTokenBucket } from '../kit/tokenBucket.ts'
import type { RelayLimits } from './config.ts'
import { invalidPayload, RelayError, tooManyRequests } from './errors.ts'
import { readFrame, writeError, writeResult, type RelayRequest } from './frames.ts'
import type { Hub } from './hub.ts'
import type { Mailbox, StoredMessage } from './mailbox.ts'
import { findMethod } from './methods/index.ts'
import { writeMessage } from './methods/method.ts'
import { createSession } from './session.ts'

/** One client's connection. */
export type RelaySocket = {
  readonly clientId: string
  /** Asks whether the client is still there; ends the connection when it missed two such questions. */
  checkAlive(): void
  /** Ends the connection when the client takes nothing for half a minute. */
  checkProgress(): void
  /** Ends the connection with a code and words. */
  close(code: number, reason: string): void
  /** Settles when the connection has ended. */
  readonly closed: Promise<void>
}

export type RelaySocketParts = {
  socket: WebSocket
  clientId: string
  limits: RelayLimits
  mailbox: Mailbox
  hub: Hub
  clock: Clock
  log: FastifyBaseLogger
}

/** Bytes on the way to the client at which messages wait in the mailbox, go on, and at which the connection is ended. */
const outgoing = { pause: 1024 * 1024, resume: 512 * 1024, end: 4 * 1024 * 1024 } as const
const stuckMilliseconds = 30_000
/** How many requests in a row over the limit are answered before the connection is ended. */
const patience = 10

/** Serves one connection until it ends. */
export function serveSocket({ socket, clientId, limits, mailbox, hub, clock, log }: RelaySocketParts): RelaySocket {
  const bucket = createTokenBucket(limits.rate, clock)
  /** The sequence of each message that the client has not acknowledged, by the id of the push. */
  const pushed = new Map<number, number>()
  let lastPushId = 0
  let overLimit = 0
  let missedPongs = 0
  let stuckSince: number | undefined

  const session = createSession({
    clientId,
    limits,
    mailbox,
    hub,
    push,
    onFault: (error) => log.error({ reason: error instanceof Error ? error.message : String(error) }, 'relay fault'),
  })

  function push(subscriptionId: string, message: StoredMessage): boolean {
    if (socket.readyState !== socket.OPEN) return false
    if (stuckSince !== undefined || socket.bufferedAmount > outgoing.pause) {
      stuckSince ??= clock.now()
      return false
    }
    lastPushId += 1
    pushed.set(lastPushId, message.sequence)
    const params = JSON.stringify({ id: subscriptionId, data: writeMessage(message) })
    send(`{"id":${lastPushId},"jsonrpc":"2.0","method":"irn_subscription","params":${params}}`)
    return true
  }

  function resume(): void {
    if (socket.readyState !== socket.OPEN || socket.bufferedAmount > outgoing.resume) return
    stuckSince = undefined
    session.resume()
  }

  function received(text: string): void {
    const frame = readFrame(text)
    if (frame.kind === 'answer') {
      const sequence = pushed.get(frame.id)
      pushed.delete(frame.id)
      if (sequence !== undefined && frame.ok) session.acknowledge(sequence)
      return
    }
    if (!bucket.take().ok) return refuseForNow(frame.kind === 'request' ? frame.request.idToken : frame.idToken)
    overLimit = 0
    if (frame.kind === 'broken') return send(writeError(frame.idToken, frame.error))
    answer(frame.request).catch((error: unknown) => {
      log.error({ reason: error instanceof Error ? error.message : String(error) }, 'a relay request failed')
      send(writeError(frame.request.idToken, new RelayError(-32603, 'Internal error', 'Unknown')))
    })
  }

  async function answer({ idToken, method: name, params }: RelayRequest): Promise<void> {
    const method = findMethod(name)
    if (method === undefined) return send(writeError(idToken, invalidPayload('InvalidMethod', 'unknown method')))
    try {
      const { result, after } = await method(session, params)
      // The publisher is answered before anybody is told: clients wait forever for an answer that comes second.
      send(writeResult(idToken, result))
      after?.()
    } catch (error) {
      if (!(error instanceof RelayError)) throw error
      send(writeError(idToken, error))
    }
  }

  function refuseForNow(idToken: string): void {
    overLimit += 1
    if (overLimit > patience) return close(1013, 'Too Many Requests')
    send(writeError(idToken, tooManyRequests()))
  }

  function send(text: string): void {
    if (socket.readyState !== socket.OPEN) return
    socket.send(text, resume)
    // Messages wait in the mailbox, but answers cannot: a client that asks and never reads has to go.
    if (socket.bufferedAmount > outgoing.end) close(1013, 'Too slow')
  }

  function close(code: number, reason: string): void {
    if (socket.readyState === socket.OPEN) socket.close(code, reason)
  }

  socket.on('message', (data, isBinary) => {
    if (isBinary) close(1003, 'Text only')
    else received(String(data))
  })
  socket.on('pong', () => (missedPongs = 0))
  // The library ends the connection itself; without a listener the error would end the process.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('close', () => session.end())

  return {
    clientId,
    checkProgress() {
      resume()
      if (stuckSince !== undefined && clock.now() - stuckSince > stuckMilliseconds) close(1013, 'Too slow')
    },
    checkAlive() {
      if (missedPongs >= 2) return socket.terminate()
      missedPongs += 1
      socket.ping()
    },
    close,
    closed,
  }
}
