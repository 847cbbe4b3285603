import type { Screen } from './stage.ts'

/** Where a screen of several steps draws, and how it ends. */
export type Steps<answer> = {
  readonly root: HTMLElement
  /** Aborted once the screen is gone: nothing may be drawn after that. */
  readonly signal: AbortSignal
  finish(answer: answer): void
}

/**
 * Makes a screen of one that draws itself anew with every step.
 *
 * @param begin draws the first step
 * @param guarded as of `Screen`
 * @example screenOf<'done'>((steps) => drawList(steps))
 */
export function screenOf<answer>(begin: (steps: Steps<answer>) => void, guarded = false): Screen<answer> {
  return {
    guarded,
    draw(root, finish) {
      const gone = new AbortController()
      begin({ root, signal: gone.signal, finish })
      return () => {
        gone.abort()
        root.replaceChildren()
      }
    },
  }
}

/** What follows a task: each hears of it only while the screen that began it is there. */
export type Outcome<result> = { done(result: result): void; failed(error: unknown): void }

/** Goes on after something that a screen began. An abandoned screen hears nothing. */
export function afterwards<result>(
  { signal }: Pick<Steps<never>, 'signal'>,
  task: Promise<result>,
  { done, failed }: Outcome<result>,
): void {
  const whileThere =
    <value>(draw: (value: value) => void) =>
    (value: value) => {
      if (!signal.aborted) draw(value)
    }
  void task.then(whileThere(done), whileThere(failed))
}
