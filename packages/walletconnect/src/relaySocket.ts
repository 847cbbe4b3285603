import { walletConnectError } from './errors.ts'
import type { UnknownRecord } from './parse.ts'
import { acknowledgement, readRelayFrame } from './relayFrames.ts'
import { dialLine, type LineOptions, type RelayLine } from './relayLine.ts'
import type { RelayRoute } from './relayRoute.ts'
import { createRelayRequests, type RelayRequest, type RelayRequestOptions } from './relayRequests.ts'
import { createRetries } from './retries.ts'
import { createWatch } from './watch.ts'
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
const timing = { answer: 10_000, silence: 30_000 } as const

/** The close code by which a relay refuses a client for good. */
const refusedCode = 3000

/** Makes a socket; it dials nothing before it is needed. */
export function createRelaySocket(options: RelaySocketOptions): RelaySocket {
  const { clock, origin, route } = options
  const status = createObservable<RelayStatus>({ state: 'idle' })
  const requests = createRelayRequests(clock, origin, settle)
  let line: RelayLine | undefined
  let heardAt = 0
  let wasAnswered = false
  const retries = createRetries(clock)
  const watch = createWatch(clock, options.onWake, wake)

  const isNeeded = (): boolean => requests.size > 0 || options.isNeeded()

  function dial(): void {
    retries.cancel()
    watch.start()
    wasAnswered = false
    line = dialLine({ ...options, address: route.address }, { opened, received, lost })
    status.set({ state: 'connecting' })
  }

  function opened(): void {
    heardAt = clock.now()
    const waiting = requests.all()
    status.set({ state: 'open' })
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
      retries.reset()
      wasAnswered = true
    }
    if (frame.kind !== 'request') return requests.answer(frame)
    line?.send(acknowledgement(frame.idToken))
    if (frame.method.endsWith('_subscription')) options.onPush(frame.params)
  }

  function lost(code: number, reason: string): void {
    line = undefined
    requests.interrupt()
    const next = route.after({ wasAnswered, refusal: code === refusedCode ? reason : undefined })
    if (next === 'never') {
      rest({ state: 'refused', reason })
      requests.rejectAll(walletConnectError('relay/refused', { reason }))
    } else if (!isNeeded()) rest({ state: 'idle' })
    else if (next === 'now') dial()
    else status.set({ state: 'waiting', retryAt: retries.later(dial) })
  }

  function rest(next: RelayStatus): void {
    retries.cancel()
    retries.reset()
    watch.stop()
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
