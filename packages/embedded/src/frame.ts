import { orAborted, type Clock } from '@latchkey/core'
import {
  frameTimes,
  isLatchkeyError,
  readFrameMessage,
  type FrameNews,
  type FrameRequestName,
  type FrameRequests,
  type LatchkeyError,
} from '@latchkey/protocol'
import { embeddedError } from './errors.ts'
import type { FramePort, OpenFrame } from './port.ts'
import { abortion, createQuestions, failedBy, FrameRefused, type AskOptions, type Questions } from './questions.ts'

/** How long a document that was loaded may say nothing: it is a browser's own page about a refusal, most likely. */
const silentMilliseconds = 8_000

export type FrameListener = {
  screen(screen: FrameNews['SCREEN']): void
  changed(news: FrameNews['CHANGED']): void
  /** The provider said who it is. */
  opening(): void
  /** The frame could not be loaded, or does not want this page. */
  failed(error: LatchkeyError): void
}

/** The frame, loaded when something is first asked of it. */
export type Frame = Pick<Questions, 'abandon'> & {
  /**
   * @throws FrameRefused when the frame says no
   * @throws LatchkeyError `embedded/unreachable`, `embedded/failed`, `embedded/timeout`, `connection/aborted`,
   *   `wallet/invalid-answer`
   */
  ask<name extends FrameRequestName>(
    name: name,
    payload: FrameRequests[name]['payload'],
    options?: AskOptions,
  ): Promise<FrameRequests[name]['answer']>
  /** Shows the frame over an element, while it is loaded. */
  place(element: HTMLElement): () => void
  /** Begins to load the frame, for what is about to be asked. */
  warm(): void
  /** Tells the frame how to look and speak, where it listens already. */
  dress(): void
  /** Takes the frame out of the page. It is loaded again when something is asked again. */
  end(): void
}

export type FrameOptions = {
  readonly clock: Clock
  readonly open: OpenFrame
  readonly listener: FrameListener
  /** Where the frame is; asked anew each time that it is loaded. */
  url(): URL
  /** What the frame is told of the page first. */
  introduction(): FrameRequests['SYNC_DAPP_DATA']['payload']
  /** How it is to look; undefined where nobody said so. */
  look(): FrameRequests['SYNC_THEME']['payload'] | undefined
}

/** One load of the frame. */
type Line = {
  readonly port: FramePort
  readonly ready: Promise<void>
  dress(): Promise<void>
  end(error: LatchkeyError): void
}

/**
 * The line to the frame: many questions at once, each answered, refused, or late.
 *
 * @example const { isConnected } = await frame.ask('IS_CONNECTED', undefined, { milliseconds: 30_000 })
 */
export function createFrame(options: FrameOptions): Frame {
  const { clock, url } = options
  let line: Line | undefined
  const questions = createQuestions(clock, url().origin)

  const begin = (): Line => {
    const begun = startLine(options, questions, () => {
      if (line === begun) line = undefined
    })
    begun.ready.catch(() => {})
    return begun
  }

  return {
    abandon: questions.abandon,
    async ask(name, payload, { signal, ...rest } = {}) {
      if (signal?.aborted === true) throw abortion()
      line ??= begin()
      const { port, ready } = line
      await (signal === undefined ? ready : orAborted(ready, signal))
      return questions.put(port, name, payload, { signal, ...rest })
    },
    place: (element) => line?.port.place(element, questions.abandon) ?? (() => {}),
    warm: () => void (line ??= begin()),
    dress() {
      const present = line
      present?.ready.then(present.dress).catch(() => {})
    },
    end: () => line?.end(abortion()),
  }
}

/** Loads the frame, waits until it listens, and tells it of the page. */
function startLine(
  { clock, url, open, listener, introduction, look }: FrameOptions,
  questions: Questions,
  ended: () => void,
): Line {
  const address = url()
  const unreachable = (): LatchkeyError => embeddedError('embedded/unreachable', { origin: address.origin })
  const timers = new Set<() => void>()
  let resolve = (): void => {}
  let reject: (error: LatchkeyError) => void = () => {}
  const ready = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil
    reject = refuse
  })
  let isReady = false
  let loads = 0
  const own: { port?: FramePort } = {}

  const end = (error: LatchkeyError): void => {
    for (const cancel of timers) cancel()
    own.port?.end()
    ended()
    reject(error)
    questions.end(error)
    show({ open: false })
  }
  const fail = (error: LatchkeyError): void => {
    end(error)
    listener.failed(error)
  }
  const show = (screen: FrameNews['SCREEN']): void => {
    questions.show(screen.open)
    listener.screen(screen)
  }
  const greet = async (): Promise<void> => {
    for (const cancel of timers) cancel()
    try {
      if (own.port !== undefined) {
        await questions.put(own.port, 'SYNC_DAPP_DATA', introduction(), { milliseconds: frameTimes.login })
        // Heard before whatever is asked next; a frame that cannot look so looks its own way.
        wear(own.port).catch(() => {})
      }
      resolve()
    } catch (error) {
      if (error instanceof FrameRefused) fail(failedBy(error))
      else fail(isLatchkeyError(error) ? error : unreachable())
    }
  }
  const wear = async (port: FramePort): Promise<void> => {
    const worn = look()
    if (worn !== undefined) await questions.put(port, 'SYNC_THEME', worn, { milliseconds: frameTimes.login })
  }
  const dress = async (): Promise<void> => {
    const spoken = questions.put(port, 'SYNC_DAPP_DATA', introduction(), { milliseconds: frameTimes.login })
    await Promise.all([spoken, wear(port)])
  }
  const heard = (data: unknown): void => {
    const message = readFrameMessage(data)
    if (message === undefined) return
    if (message.kind !== 'news') return questions.settle(message)
    if (message.name === 'SCREEN') return show(message.payload)
    if (message.name === 'CHANGED') return listener.changed(message.payload)
    if (message.name === 'OPENING') return listener.opening()
    // A frame that begins anew knows nothing of what it was asked before.
    if (isReady) return end(unreachable())
    isReady = true
    void greet()
  }
  const wait = (milliseconds: number): void =>
    void timers.add(clock.after(milliseconds, () => isReady || fail(unreachable())))
  const loaded = (): void => {
    loads += 1
    if (!isReady) wait(silentMilliseconds)
    // Another document took its place, and says nothing: what waited in the one before is gone with it.
    else if (loads > 1) end(unreachable())
  }
  const port = open(address, { heard, loaded })
  own.port = port
  wait(frameTimes.ready + frameTimes.settle)
  return { port, ready, dress, end }
}
