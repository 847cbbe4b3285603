import type { Clock } from '@latchkey/core'
import { withAbort } from '@latchkey/core/internal'
import {
  frameTimes,
  isLatchkeyError,
  parseFrameMessage,
  type FrameEvents,
  type FrameRequestName,
  type FrameRequests,
  type LatchkeyError,
} from '@latchkey/protocol'
import { embeddedError } from '../embeddedError.ts'
import type { FramePort, OpenFrame } from './framePort.ts'
import {
  createAbortError,
  createPendingRequests,
  toLoginError,
  FrameRefusedError,
  type FrameRequestOptions,
  type PendingRequests,
} from './pendingRequests.ts'

/** Time for a loaded document to announce itself. A silent one is most likely the browser's own error page. */
const silentDocumentMs = 8_000

export type FrameListener = {
  screen(screen: FrameEvents['SCREEN']): void
  changed(news: FrameEvents['CHANGED']): void
  /** The identity provider has responded. */
  opening(): void
  /** The frame could not be loaded or refuses this page. */
  failed(error: LatchkeyError): void
}

/** The frame. It loads with the first request. */
export type Frame = Pick<PendingRequests, 'abandon'> & {
  /**
   * Sends a request to the frame.
   *
   * @throws FrameRefusedError if the frame refuses
   * @throws LatchkeyError `embedded/unreachable`, `embedded/failed`, `embedded/timeout`, `connection/aborted`,
   *   `wallet/invalid-response`
   */
  request<name extends FrameRequestName>(
    name: name,
    payload: FrameRequests[name]['payload'],
    options?: FrameRequestOptions,
  ): Promise<FrameRequests[name]['response']>
  /** Shows the frame over an element while it is loaded. */
  place(element: HTMLElement): () => void
  /** Starts loading the frame for an expected request. */
  warm(): void
  /** Sends look and language to the frame if it is loaded. */
  applyLook(): void
  /** Removes the frame from the page. The next request loads it again. */
  end(): void
}

export type FrameOptions = {
  readonly clock: Clock
  readonly open: OpenFrame
  readonly listener: FrameListener
  /** URL of the frame, read on every load. */
  url(): URL
  /** Information about the page, sent first. */
  introduction(): FrameRequests['SYNC_DAPP_DATA']['payload']
  /** Theme of the frame. `undefined` if none is set. */
  appearance(): FrameRequests['SYNC_THEME']['payload'] | undefined
}

/** One load of the frame. */
type FrameLoad = {
  readonly port: FramePort
  readonly ready: Promise<void>
  applyLook(): Promise<void>
  end(error: LatchkeyError): void
}

/**
 * Creates the client of the frame. It handles concurrent requests.
 *
 * @example const { isConnected } = await frame.request('IS_CONNECTED', undefined, { timeoutMs: 30_000 })
 */
export function createFrame(options: FrameOptions): Frame {
  const { clock, url } = options
  let load: FrameLoad | undefined
  const pendingRequests = createPendingRequests(clock, url().origin)

  const startOnce = (): FrameLoad => {
    const started = startLoad(options, pendingRequests, () => {
      if (load === started) load = undefined
    })
    started.ready.catch(() => {})
    return started
  }

  return {
    abandon: pendingRequests.abandon,
    async request(name, payload, { signal, ...rest } = {}) {
      if (signal?.aborted === true) throw createAbortError()
      load ??= startOnce()
      const { port, ready } = load
      await (signal === undefined ? ready : withAbort(ready, signal))
      return pendingRequests.put(port, name, payload, { signal, ...rest })
    },
    place: (element) => load?.port.place(element, pendingRequests.abandon) ?? (() => {}),
    warm: () => void (load ??= startOnce()),
    applyLook() {
      const present = load
      present?.ready.then(present.applyLook).catch(() => {})
    },
    end: () => load?.end(createAbortError()),
  }
}

/** Loads the frame, waits until it is ready and introduces the page to it. */
function startLoad(options: FrameOptions, pendingRequests: PendingRequests, ended: () => void): FrameLoad {
  const { clock, url, open, listener } = options
  const address = url()
  const introduction = createIntroduction(options, pendingRequests)
  const timers = new Set<() => void>()
  const { promise: ready, resolve, reject } = createDeferred()
  const state: { port?: FramePort; isReady: boolean; loads: number } = { isReady: false, loads: 0 }

  const unreachable = (): LatchkeyError => embeddedError('embedded/unreachable', { origin: address.origin })
  const cancelTimers = (): void => timers.forEach((cancel) => cancel())
  const show = (screen: FrameEvents['SCREEN']): void => {
    pendingRequests.show(screen.open)
    listener.screen(screen)
  }
  const end = (error: LatchkeyError): void => {
    cancelTimers()
    state.port?.end()
    ended()
    reject(error)
    pendingRequests.end(error)
    show({ open: false })
  }
  const fail = (error: LatchkeyError): void => {
    end(error)
    listener.failed(error)
  }
  const failUnlessReadyWithin = (timeoutMs: number): void =>
    void timers.add(clock.after(timeoutMs, () => state.isReady || fail(unreachable())))
  const handleReady = async (): Promise<void> => {
    // A document that starts again has lost the earlier requests.
    if (state.isReady) return end(unreachable())
    state.isReady = true
    cancelTimers()
    try {
      if (state.port !== undefined) await introduction.introduce(state.port)
      resolve()
    } catch (error) {
      if (error instanceof FrameRefusedError) fail(toLoginError(error))
      else fail(isLatchkeyError(error) ? error : unreachable())
    }
  }

  const port = open(address, {
    onMessage: (data) => routeMessage(data, { pendingRequests, listener, show, ready: () => void handleReady() }),
    loaded() {
      state.loads += 1
      if (!state.isReady) failUnlessReadyWithin(silentDocumentMs)
      // A second document replaced the frame and stays silent. The requests of the first are lost.
      else if (state.loads > 1) end(unreachable())
    },
  })
  state.port = port
  failUnlessReadyWithin(frameTimes.ready + frameTimes.settle)
  return { port, ready, applyLook: () => introduction.applyLook(port), end }
}

/** Tells the frame about the page: its project, language and look. */
function createIntroduction(
  { introduction, appearance }: FrameOptions,
  pendingRequests: PendingRequests,
): { introduce(port: FramePort): Promise<void>; applyLook(port: FramePort): Promise<void> } {
  const options = { timeoutMs: frameTimes.login }
  const sendDappData = (port: FramePort): Promise<void> =>
    pendingRequests.put(port, 'SYNC_DAPP_DATA', introduction(), options)
  const sendTheme = async (port: FramePort): Promise<void> => {
    const theme = appearance()
    if (theme !== undefined) await pendingRequests.put(port, 'SYNC_THEME', theme, options)
  }
  return {
    async introduce(port) {
      await sendDappData(port)
      // The frame handles it before the next request. A frame without themes keeps its own look.
      sendTheme(port).catch(() => {})
    },
    async applyLook(port) {
      await Promise.all([sendDappData(port), sendTheme(port)])
    },
  }
}

function routeMessage(
  data: unknown,
  {
    pendingRequests,
    listener,
    show,
    ready,
  }: {
    pendingRequests: PendingRequests
    listener: FrameListener
    show(screen: FrameEvents['SCREEN']): void
    ready(): void
  },
): void {
  const message = parseFrameMessage(data)
  if (message === undefined) return
  if (message.kind !== 'event') return pendingRequests.settle(message)
  if (message.name === 'SCREEN') return show(message.payload)
  if (message.name === 'CHANGED') return listener.changed(message.payload)
  if (message.name === 'OPENING') return listener.opening()
  ready()
}

function createDeferred(): { promise: Promise<void>; resolve(): void; reject(error: Error): void } {
  let resolve = (): void => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil
    reject = refuse
  })
  return { promise, resolve: () => resolve(), reject: (error) => reject(error) }
}
