import type { FastifyBaseLogger } from 'fastify'
import type { WebSocket } from 'ws'
import type { Clock } from '../kit/clock.ts'
import { createTokenBucket } from '../kit/tokenBucket.ts'
import type { Visitor } from './admit.ts'
import type { RelayLimits } from './config.ts'
import { dispatch } from './dispatch.ts'
import { tooManyRequests } from './errors.ts'
import { readFrame, writeError, type RelayRequest } from './frames.ts'
import type { Hub } from './hub.ts'
import type { Mailbox, StoredMessage } from './mailbox.ts'
import { writeMessage } from './methods/method.ts'
import { createOutgoing } from './outgoing.ts'
import type { Quotas } from './quotas.ts'
import { createSession, type Session } from './session.ts'
import type { RelayTap } from './tap.ts'

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

export type RelaySocketParts = Visitor & {
  socket: WebSocket
  limits: RelayLimits
  quotas: Quotas
  mailbox: Mailbox
  hub: Hub
  tap: Required<RelayTap>
  watches: Session['watches']
  clock: Clock
  log: FastifyBaseLogger
}

/** How many requests of one client are worked on at once. */
const mostUnanswered = 64
/** How many requests in a row over the limit are answered before the connection is ended. */
const patience = 10

/** Serves one connection until it ends. */
export function serveSocket(parts: RelaySocketParts): RelaySocket {
  const { socket, clientId, limits, clock, log } = parts
  const bucket = createTokenBucket(limits.rate, clock)
  const outgoing = createOutgoing({ socket, clock, onRoom: () => session.resume() })
  const session = createSession({ ...parts, push, onFault })
  /** The messages that the client has not acknowledged, by the id of the push. */
  const pushed = new Map<number, { topic: string; sequence: number }>()
  let lastPushId = 0
  let overLimit = 0
  let unanswered = 0
  let missedPongs = 0

  function onFault(error: unknown): void {
    log.error({ reason: error instanceof Error ? error.message : String(error) }, 'relay fault')
  }

  function push(subscriptionId: string, message: StoredMessage): boolean {
    const id = lastPushId + 1
    const isTaken = outgoing.offer(() => writePush(id, subscriptionId, writeMessage(session, message)))
    if (!isTaken) return false
    lastPushId = id
    pushed.set(id, { topic: message.topic, sequence: message.sequence })
    return true
  }

  function received(text: string): void {
    const frame = readFrame(text)
    if (frame.kind === 'answer') {
      const message = pushed.get(frame.id)
      pushed.delete(frame.id)
      if (message !== undefined && frame.ok) session.acknowledge(message.topic, message.sequence)
      return
    }
    if (!bucket.take().ok) return refuseForNow(frame.kind === 'request' ? frame.request.idToken : frame.idToken)
    overLimit = 0
    if (frame.kind === 'broken') return outgoing.answer(writeError(frame.idToken, frame.error))
    void answer(frame.request)
  }

  async function answer(request: RelayRequest): Promise<void> {
    unanswered += 1
    // Who asks faster than we can answer is read no faster: what it sends waits on its side.
    if (unanswered >= mostUnanswered) socket.pause()
    const { text, after } = await dispatch(session, request, onFault)
    unanswered -= 1
    if (socket.isPaused) socket.resume()
    // The publisher is answered before anybody is told: clients wait forever for an answer that comes second.
    outgoing.answer(text)
    after?.()
  }

  function refuseForNow(idToken: string): void {
    overLimit += 1
    if (overLimit > patience) return outgoing.close(1013, 'Too Many Requests')
    outgoing.answer(writeError(idToken, tooManyRequests()))
  }

  socket.on('message', (data, isBinary) => {
    if (isBinary) outgoing.close(1003, 'Text only')
    else received(String(data))
  })
  socket.on('pong', () => (missedPongs = 0))
  // The library ends the connection itself; without a listener the error would end the process.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('close', () => session.end())

  return {
    clientId,
    checkProgress: outgoing.checkProgress,
    checkAlive() {
      if (missedPongs >= 2) return socket.terminate()
      missedPongs += 1
      socket.ping()
    },
    close: outgoing.close,
    closed,
  }
}

function writePush(id: number, subscriptionId: string, data: object): string {
  const params = JSON.stringify({ id: subscriptionId, data })
  return `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":${params}}`
}
