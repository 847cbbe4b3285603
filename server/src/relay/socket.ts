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
import { createSession, subscriptionId } from './session.ts'

/** One client's connection. */
export type RelaySocket = {
  readonly clientId: string
  /** Asks whether the client is still there; ends the connection when it missed two such questions. */
  checkAlive(): void
  /** Ends the connection with a code and words. */
  close(code: number, reason: string): void
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

/** Above the first mark stored messages wait, above the second the connection is ended: they stay in the mailbox. */
const outgoing = { pause: 1024 * 1024, end: 4 * 1024 * 1024, stuckMilliseconds: 30_000 } as const
/** How many requests over the limit are answered before the connection is ended. */
const patience = 10

/** Serves one connection until it ends. */
export function serveSocket({ socket, clientId, limits, mailbox, hub, clock, log }: RelaySocketParts): RelaySocket {
  const bucket = createTokenBucket(limits.rate, clock)
  const pushed = new Map<number, StoredMessage>()
  const paused = new Set<string>()
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

  function push(message: StoredMessage): boolean {
    if (socket.readyState !== socket.OPEN) return false
    if (socket.bufferedAmount > outgoing.pause) {
      wait(message.topic)
      return false
    }
    lastPushId += 1
    pushed.set(lastPushId, message)
    const id = String(lastPushId)
    const params = { id: subscriptionId(message.topic, clientId), data: writeMessage(message) }
    socket.send(`{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":${JSON.stringify(params)}}`)
    return true
  }

  function wait(topic: string): void {
    stuckSince ??= clock.now()
    paused.add(topic)
    if (socket.bufferedAmount > outgoing.end) close(1013, 'Too slow')
  }

  function resume(): void {
    if (paused.size === 0 || socket.bufferedAmount > outgoing.pause) return
    stuckSince = undefined
    const topics = [...paused]
    paused.clear()
    session.deliverWaiting(topics)
  }

  function received(text: string): void {
    const frame = readFrame(text)
    if (frame.kind === 'answer') {
      const message = pushed.get(frame.id)
      pushed.delete(frame.id)
      if (message !== undefined && frame.ok) session.acknowledge(message)
      return
    }
    if (!bucket.take().ok) return refuseForNow(frame.kind === 'request' ? frame.request.idToken : frame.idToken)
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
    if (socket.readyState === socket.OPEN) socket.send(text, resume)
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
  socket.on('close', () => session.end())

  return {
    clientId,
    checkAlive() {
      resume()
      const isStuck = stuckSince !== undefined && clock.now() - stuckSince > outgoing.stuckMilliseconds
      if (isStuck) return close(1013, 'Too slow')
      if (missedPongs >= 2) return socket.terminate()
      missedPongs += 1
      socket.ping()
    },
    close,
  }
}
