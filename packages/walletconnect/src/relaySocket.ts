import type { Clock } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import { randomInteger } from './bytes.ts'
import type { UnknownRecord } from './parse.ts'
import { acknowledgement, readRelayFrame } from './relayFrames.ts'
import { createRelayRequests, type RelayRequest, type RelayRequestOptions } from './relayRequests.ts'
import { createObservable, type Observable, type RelayStatus } from './relayStatus.ts'

/** The part of the platform's WebSocket that is used; the package `ws` has it too. */
export type RelayWebSocket = {
  send(data: string): void
  close(code?: number): void
  onopen: unknown
  onmessage: unknown
  onclose: unknown
  onerror: unknown
}

export type RelaySocketOptions = {
  /** Named in errors. */
  origin: string
  /** The address to dial, with a fresh token, asked before every attempt. */
  address(): string
  createSocket(url: string): RelayWebSocket
  clock: Clock
  /** Follows the moments that promise a change (network back, page in sight); returns what stops it. */
  onWake(wake: () => void): () => void
  /** Whether the socket must stay open while no request is under way. */
  isNeeded(): boolean
  /** Called on each opening, before the requests that wait are sent, and to try a connection that was silent for long. */
  onOpen(): void
  /** Called with each push, already acknowledged. */
  onPush(params: UnknownRecord): void
}

/** One websocket to a relay that opens when it is needed and comes back by itself. */
export type RelaySocket = {
  readonly status: Observable<RelayStatus>
  /**
   * Asks the relay. An unanswered request is sent again after a reconnect, with the same id.
   *
   * @throws LatchkeyError `relay/unreachable`, `relay/refused`, or `request/failed` with the relay's code.
   */
  request(method: string, params: object, options: RelayRequestOptions): Promise<unknown>
  /** Dials now, unless that was done already: for when a person waits. */
  open(): void
  /** Opens the socket when something needs it, closes it when nothing does. */
  settle(): void
  /** Lets go of everything: what waits rejects with `relay/unreachable`. */
  close(): void
}

/** Milliseconds. */
const timing = { attempt: 15_000, answer: 10_000, silence: 30_000, firstRetry: 250, longestRetry: 30_000 } as const

/** The close code by which a relay refuses a client for good. */
const refusedCode = 3000

/** Makes a socket; it dials nothing before it is needed. */
export function createRelaySocket(options: RelaySocketOptions): RelaySocket {
  const { clock, origin } = options
  const status = createObservable<RelayStatus>({ state: 'idle' })
  const requests = createRelayRequests(clock, origin, settle)
  let socket: RelayWebSocket | undefined
  let failures = 0
  let heardAt = 0
  let cancelTimer = (): void => {}
  let stopWaking = (): void => {}

  const isNeeded = (): boolean => requests.size > 0 || options.isNeeded()

  function dial(): void {
    cancelTimer()
    stopWaking()
    stopWaking = options.onWake(wake)
    status.set({ state: 'connecting' })
    const next = createSocket()
    if (next === undefined) return retryLater()
    socket = next
    cancelTimer = clock.after(timing.attempt, () => drop(next))
    follow(next)
  }

  function createSocket(): RelayWebSocket | undefined {
    try {
      return options.createSocket(options.address())
    } catch {
      return undefined
    }
  }

  function follow(next: RelayWebSocket): void {
    next.onopen = (): void => {
      if (next === socket) opened()
    }
    next.onmessage = (event: { data: unknown }): void => {
      if (next === socket && typeof event.data === 'string') received(event.data)
    }
    next.onclose = (event: { code: number; reason: string }): void => {
      if (next === socket) lost(event.code, event.reason)
    }
    // Scripts may not see what went wrong, and a close always follows; without a listener `ws` would throw.
    next.onerror = (): void => {}
  }

  function opened(): void {
    cancelTimer()
    heardAt = clock.now()
    const waiting = requests.all()
    status.set({ state: 'open' })
    options.onOpen()
    for (const request of waiting) send(request)
  }

  function send(request: RelayRequest): void {
    const current = socket
    if (current === undefined || status.get().state !== 'open') return
    current.send(request.frame)
    request.cancelPatience()
    // A connection can be dead without saying so; then only the silence tells.
    request.cancelPatience = clock.after(timing.answer, () => drop(current))
    if (request.sent) return
    request.sent = true
    request.options.onSent?.()
  }

  function received(text: string): void {
    failures = 0
    heardAt = clock.now()
    const frame = readRelayFrame(text)
    if (frame === undefined) return
    if (frame.kind !== 'request') return requests.answer(frame)
    socket?.send(acknowledgement(frame.idToken))
    if (frame.method.endsWith('_subscription')) options.onPush(frame.params)
  }

  function drop(dead: RelayWebSocket): void {
    if (dead !== socket) return
    lost(1006, '')
    dead.close()
  }

  function lost(code: number, reason: string): void {
    cancelTimer()
    socket = undefined
    requests.interrupt()
    if (code === refusedCode) {
      rest({ state: 'refused', reason })
      requests.rejectAll(new LatchkeyError('relay/refused', { reason }))
    } else if (isNeeded()) retryLater()
    else rest({ state: 'idle' })
  }

  function retryLater(): void {
    const longest = Math.min(timing.longestRetry, timing.firstRetry * 2 ** failures)
    // All clients lose a relay that restarts in one moment, and must not come back in one.
    const delay = longest / 2 + randomInteger(longest / 2)
    failures += 1
    cancelTimer = clock.after(delay, dial)
    status.set({ state: 'waiting', retryAt: clock.now() + delay })
  }

  function rest(next: RelayStatus): void {
    cancelTimer()
    stopWaking()
    failures = 0
    status.set(next)
  }

  function wake(): void {
    const { state } = status.get()
    if (state === 'waiting') dial()
    // Phones cut the sockets of hidden pages without a word: asking anything finds out.
    else if (state === 'open' && clock.now() - heardAt > timing.silence) options.onOpen()
  }

  /** A refusal and a rest end with the next request; a wait for the next attempt goes on. */
  function openForRequest(): void {
    const { state } = status.get()
    if (state === 'idle' || state === 'refused') dial()
  }

  function settle(): void {
    const { state } = status.get()
    if (isNeeded()) {
      if (state === 'idle') dial()
    } else if (state !== 'idle' && state !== 'refused') hangUp()
  }

  function hangUp(): void {
    const last = socket
    socket = undefined
    rest({ state: 'idle' })
    last?.close(1000)
  }

  return {
    status,
    open() {
      const { state } = status.get()
      if (state !== 'open' && state !== 'connecting') dial()
    },
    settle,
    request(method, params, requestOptions) {
      const { request, answer } = requests.add(method, params, requestOptions)
      openForRequest()
      send(request)
      return answer
    },
    close() {
      hangUp()
      requests.rejectAll(new LatchkeyError('relay/unreachable', { origin }))
    },
  }
}

/** Follows the network and the page's visibility, where there are such things. */
export function onBrowserWake(wake: () => void): () => void {
  const seen = (): void => {
    if (page?.visibilityState === 'visible') wake()
  }
  const page = typeof document === 'undefined' ? undefined : document
  // Node has a global scope without events.
  const scope = typeof addEventListener === 'undefined' ? undefined : globalThis
  scope?.addEventListener('online', wake)
  page?.addEventListener('visibilitychange', seen)
  return () => {
    scope?.removeEventListener('online', wake)
    page?.removeEventListener('visibilitychange', seen)
  }
}
