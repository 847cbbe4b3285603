import { randomInteger } from './bytes.ts'
import { walletConnectError } from './errors.ts'
import type { UnknownRecord } from './parse.ts'
import { acknowledgement, readRelayFrame } from './relayFrames.ts'
import { dialLine, type LineOptions, type RelayLine } from './relayLine.ts'
import type { RelayRoute } from './relayRoute.ts'
import { createRelayRequests, type RelayRequest, type RelayRequestOptions } from './relayRequests.ts'
import { createObservable, type Observable, type RelayStatus } from './relayStatus.ts'

export type RelaySocketOptions = Omit<LineOptions, 'address'> & {
  /** What to dial. */
  route: RelayRoute
  /** Named in errors. */
  origin: string
  /** Follows the moments that promise a change (network back, page in sight); returns what stops it. */
  onWake(wake: () => void): () => void
  /** Whether the socket must stay open while no request is under way. */
  isNeeded(): boolean
  /** Called on each opening, before the requests that wait are sent, and to try a connection that was silent for long. */
  onOpen(): void
  /** Called with each push, already acknowledged. */
  onPush(params: UnknownRecord): void
}

/** A websocket to a relay that opens when it is needed and comes back by itself. */
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
const timing = { answer: 10_000, silence: 30_000, firstRetry: 250, longestRetry: 30_000, pulse: 15_000 } as const

/** The close code by which a relay refuses a client for good. */
const refusedCode = 3000

/** Makes a socket; it dials nothing before it is needed. */
export function createRelaySocket(options: RelaySocketOptions): RelaySocket {
  const { clock, origin, route } = options
  const status = createObservable<RelayStatus>({ state: 'idle' })
  const requests = createRelayRequests(clock, origin, settle)
  let line: RelayLine | undefined
  let failures = 0
  let heardAt = 0
  let wasAnswered = false
  let cancelRetry = (): void => {}
  let cancelPulse = (): void => {}
  let stopWaking = (): void => {}

  const isNeeded = (): boolean => requests.size > 0 || options.isNeeded()

  function dial(): void {
    cancelRetry()
    stopWaking()
    stopWaking = options.onWake(wake)
    wasAnswered = false
    line = dialLine({ ...options, address: route.address }, { opened, received, lost })
    status.set({ state: 'connecting' })
  }

  function opened(): void {
    heardAt = clock.now()
    const waiting = requests.all()
    status.set({ state: 'open' })
    feelPulse()
    options.onOpen()
    for (const request of waiting) send(request)
  }

  function send(request: RelayRequest): void {
    const current = line
    if (current === undefined || status.get().state !== 'open') return
    current.send(request.frame)
    // A connection can be dead without saying so; then only the silence tells.
    request.cancelPatience()
    request.cancelPatience = clock.after(timing.answer, current.drop)
    request.sent = true
    request.options.onSent?.()
  }

  function received(text: string): void {
    heardAt = clock.now()
    const frame = readRelayFrame(text)
    if (frame === undefined) return
    // Some relays send an error before they refuse a client.
    if (frame.kind !== 'error') {
      failures = 0
      wasAnswered = true
    }
    if (frame.kind !== 'request') return requests.answer(frame)
    line?.send(acknowledgement(frame.idToken))
    if (frame.method.endsWith('_subscription')) options.onPush(frame.params)
  }

  /** Timers that ring late tell that the machine slept or the page was frozen, which ends connections without a word. */
  function feelPulse(): void {
    const due = clock.now() + timing.pulse
    cancelPulse = clock.after(timing.pulse, () => {
      const wasAsleep = clock.now() - due > timing.pulse
      feelPulse()
      if (wasAsleep) wake()
    })
  }

  function lost(code: number, reason: string): void {
    line = undefined
    cancelPulse()
    requests.interrupt()
    const next = route.after({ wasAnswered, refusal: code === refusedCode ? reason : undefined })
    if (next === 'never') {
      rest({ state: 'refused', reason })
      requests.rejectAll(walletConnectError('relay/refused', { reason }))
    } else if (!isNeeded()) rest({ state: 'idle' })
    else if (next === 'now') dial()
    else retryLater()
  }

  function retryLater(): void {
    const delay = retryDelay(failures)
    failures += 1
    cancelRetry = clock.after(delay, dial)
    status.set({ state: 'waiting', retryAt: clock.now() + delay })
  }

  function rest(next: RelayStatus): void {
    cancelRetry()
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

  function settle(): void {
    const { state } = status.get()
    if (!isNeeded()) hangUp()
    else if (state === 'idle') dial()
  }

  function hangUp(): void {
    const last = line
    line = undefined
    cancelPulse()
    if (status.get().state !== 'idle' && status.get().state !== 'refused') rest({ state: 'idle' })
    last?.hangUp()
  }

  return {
    status,
    settle,
    open() {
      const { state } = status.get()
      if (state !== 'open' && state !== 'connecting') dial()
    },
    request(method, params, requestOptions) {
      const { request, answer } = requests.add(method, params, requestOptions)
      const { state } = status.get()
      // A refusal and a rest end with the next request; a wait for the next attempt goes on.
      if (state === 'idle' || state === 'refused') dial()
      send(request)
      return answer
    },
    close() {
      hangUp()
      requests.rejectAll(walletConnectError('relay/unreachable', { origin }))
    },
  }
}

function retryDelay(failures: number): number {
  const longest = Math.min(timing.longestRetry, timing.firstRetry * 2 ** failures)
  // All clients lose a relay that restarts in one moment, and must not come back in one.
  return longest / 2 + randomInteger(longest / 2)
}

/** Follows the network and the page's visibility, where there are such things. */
export function onBrowserWake(wake: () => void): () => void {
  const page = typeof document === 'undefined' ? undefined : document
  // Node has a global scope without events.
  const scope = typeof addEventListener === 'undefined' ? undefined : globalThis
  const seen = (): void => {
    if (page?.visibilityState === 'visible') wake()
  }
  scope?.addEventListener('online', wake)
  page?.addEventListener('visibilitychange', seen)
  return () => {
    scope?.removeEventListener('online', wake)
    page?.removeEventListener('visibilitychange', seen)
  }
}
