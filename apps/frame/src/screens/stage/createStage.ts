import { schedule } from '../../platform/schedule.ts'
import { minimumSize } from './arming.ts'
import { guardScreen } from './guardScreen.ts'
import { guardSteps } from './guardSteps.ts'
import { pageLinkScreen } from './pageLinkScreen.ts'
import type { Screen, Stage } from './stage.ts'
import type { StageContext } from './stageContext.ts'
import { watchVisibility } from './watchVisibility.ts'
import { windowScreen } from './windowScreen.ts'

/**
 * Creates a stage that shows one screen at a time. The page shows the frame with the first screen and hides it after
 * the last.
 */
export function createStage(context: StageContext): Stage {
  const { root, emit } = context
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function show<result>(screen: Screen<result>, signal: AbortSignal | undefined): Promise<result | undefined> {
    if (signal?.aborted === true) return undefined
    return presentVisibly(context, screen, signal).finally(() => {
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
        if (waiting === 0) emit({ open: false })
      })
      last = done.catch(() => undefined)
      return done
    },
  }
}

/** Presents a screen where the browser proves that nothing covers its guarded buttons. */
function presentVisibly<choice>(
  context: StageContext,
  screen: Screen<choice>,
  signal: AbortSignal | undefined,
): Promise<choice | undefined> {
  if (canBeSeen(context, screen)) return present(context, screen, signal)
  if (screen.guarded === 'steps') return present(context, pageLinkScreen(context.messages(), screen.page), signal)
  return windowScreen(screen, context, (drawn) => present(context, drawn, signal))
}

/** Draws a screen and waits for its result. Escape and the signal cancel it. */
function present<result>(
  context: StageContext,
  screen: Screen<result>,
  signal: AbortSignal | undefined,
): Promise<result | undefined> {
  const { root, emit, later = schedule, watch = watchVisibility } = context
  return new Promise((resolve) => {
    const ends: Array<() => void> = []
    const finish = (returned: result | undefined): void => {
      for (const end of ends.splice(0)) end()
      resolve(returned)
    }
    const escape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) finish(undefined)
    }
    const abort = (): void => finish(undefined)
    signal?.addEventListener('abort', abort)
    window.addEventListener('keydown', escape)
    ends.push(() => signal?.removeEventListener('abort', abort))
    ends.push(() => window.removeEventListener('keydown', escape))
    if (screen.guarded === true) root.dataset['shielded'] = ''
    ends.push(screen.draw(root, finish))
    if (screen.guarded === true) ends.push(guardScreen({ root, later, watch }))
    if (screen.guarded === 'steps') ends.push(guardSteps({ root, later, watch }))
    ends.push(followHeight(root, screen.guarded === false ? 0 : minimumSize.height, emit))
  })
}

/** Reports the height that the screen needs. The page grants it as far as it has room. */
function followHeight(root: HTMLElement, least: number, emit: StageContext['emit']): () => void {
  let lastHeight = 0
  const measure = (): void => {
    const height = Math.max(least, Math.ceil(heightOf(root.firstElementChild ?? root)))
    if (height === lastHeight) return
    lastHeight = height
    emit({ open: true, height })
  }
  const sizes = new ResizeObserver(measure)
  const observe = (): void => {
    sizes.disconnect()
    for (const part of (root.firstElementChild ?? root).children) sizes.observe(part)
    measure()
  }
  // Screens with several steps redraw each of them.
  const children = new MutationObserver(observe)
  children.observe(root, { childList: true })
  observe()
  return () => {
    sizes.disconnect()
    children.disconnect()
  }
}

/**
 * Returns the height of the content, not of the frame: the frame's height follows earlier reports, and measuring it
 * would never settle.
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

function canBeSeen({ watch = watchVisibility, root }: StageContext, { guarded }: Screen<unknown>): boolean {
  if (guarded === false) return true
  const stop = watch([root], () => {})
  stop?.()
  return stop !== undefined
}
