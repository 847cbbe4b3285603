import type { FrameNews } from '@latchkey/protocol'
import type { Words } from '../words/words.ts'
import { smallest } from './arming.ts'
import { guardScreen } from './guard.ts'
import type { Screen, Stage } from './stage.ts'
import { watchVisibility, type WatchVisibility } from './visibility.ts'
import { windowScreen, type OpenWindow } from './windowScreen.ts'

export type StageParts = {
  /** Where screens are drawn: the page has nothing else to see. */
  readonly root: HTMLElement
  /** Tells the page that embeds. */
  tell(news: FrameNews['SCREEN']): void
  words(): Words
  /** This site's own origin. */
  readonly origin: string
  /** Calls later, and returns what takes that back. The platform's when left out. */
  later?(act: () => void, milliseconds: number): () => void
  /** The browser's own proof when left out; undefined from it sends guarded screens to a window. */
  readonly watch?: WatchVisibility
  /** The platform's when left out. */
  readonly open?: OpenWindow
}

/** Shows one screen at a time; the page is told to show the frame, and to hide it after the last one. */
export function createStage(parts: StageParts): Stage {
  const { root, tell } = parts
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function show<answer>(screen: Screen<answer>, signal: AbortSignal | undefined): Promise<answer | undefined> {
    if (signal?.aborted === true) return undefined
    const answered = canBeSeen(parts, screen)
      ? present(parts, screen, signal)
      : windowScreen(screen, parts, (drawn) => present(parts, drawn, signal))
    return answered.finally(() => {
      root.replaceChildren()
      delete root.dataset['shielded']
    })
  }

  return {
    show(screen, { signal } = {}) {
      waiting += 1
      const turn = last.then(() => show(screen, signal))
      const done = turn.finally(() => {
        waiting -= 1
        if (waiting === 0) tell({ open: false })
      })
      last = done.catch(() => undefined)
      return done
    },
  }
}

/** Draws a screen and waits for its answer; Escape and the signal turn it away. */
function present<answer>(
  parts: StageParts,
  screen: Screen<answer>,
  signal: AbortSignal | undefined,
): Promise<answer | undefined> {
  const { root, tell, later = platformLater, watch = watchVisibility } = parts
  return new Promise((resolve) => {
    const ends: Array<() => void> = []
    const finish = (answer: answer | undefined): void => {
      for (const end of ends.splice(0)) end()
      resolve(answer)
    }
    const escape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) finish(undefined)
    }
    const abort = (): void => finish(undefined)
    signal?.addEventListener('abort', abort)
    window.addEventListener('keydown', escape)
    ends.push(() => signal?.removeEventListener('abort', abort))
    ends.push(() => window.removeEventListener('keydown', escape))
    if (screen.guarded) root.dataset['shielded'] = ''
    ends.push(screen.draw(root, finish))
    if (screen.guarded) ends.push(guardScreen({ root, later, watch }))
    ends.push(followHeight(root, screen.guarded ? smallest.height : 0, tell))
  })
}

/** The page gives the frame the height that the screen would like to have, as far as it has room. */
function followHeight(root: HTMLElement, least: number, tell: StageParts['tell']): () => void {
  let told = 0
  const measure = (): void => {
    const height = Math.max(least, Math.ceil(heightOf(root.firstElementChild ?? root)))
    if (height === told) return
    told = height
    tell({ open: true, height })
  }
  const sizes = new ResizeObserver(measure)
  const observe = (): void => {
    sizes.disconnect()
    for (const part of (root.firstElementChild ?? root).children) sizes.observe(part)
    measure()
  }
  // A screen of several steps draws each anew.
  const parts = new MutationObserver(observe)
  parts.observe(root, { childList: true })
  observe()
  return () => {
    sizes.disconnect()
    parts.disconnect()
  }
}

/**
 * How high its parts are together, however high it is itself: the frame is as high as was asked a moment ago, and two
 * answers on their way would chase each other for ever.
 */
function heightOf(screen: Element): number {
  const { paddingTop, paddingBottom, rowGap } = getComputedStyle(screen)
  const heights = [...screen.children].map((part) => part.getBoundingClientRect().height)
  const gaps = Math.max(0, heights.length - 1) * readPixels(rowGap)
  return heights.reduce((sum, height) => sum + height, readPixels(paddingTop) + readPixels(paddingBottom) + gaps)
}

function readPixels(length: string): number {
  return Number.parseFloat(length) || 0
}

function canBeSeen({ watch = watchVisibility, root }: StageParts, { guarded }: Screen<unknown>): boolean {
  if (!guarded) return true
  const stop = watch([root], () => {})
  stop?.()
  return stop !== undefined
}

function platformLater(act: () => void, milliseconds: number): () => void {
  const timer = setTimeout(act, milliseconds)
  return () => clearTimeout(timer)
}
