import type { Screen } from './stage.ts'

/** The root of a screen with several steps, and how it ends. */
export type Steps<result> = {
  readonly root: HTMLElement
  /** Aborts when the screen is removed. Draw nothing afterwards. */
  readonly signal: AbortSignal
  finish(choice: result): void
}

/**
 * Creates a screen that redraws itself with every step.
 *
 * @param begin draws the first step
 * @param guarded see `Screen`
 * @example createScreen<'done'>((steps) => drawList(steps))
 */
export function createScreen<result>(
  begin: (steps: Steps<result>) => void,
  guarded: Screen<result>['guarded'] = false,
): Screen<result> {
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

/** Continuations of a task. Both run only while the screen exists. */
export type Outcome<result> = { done(result: result): void; failed(error: unknown): void }

/** Continues after a task, unless the screen was removed. */
export function whenDone<result>(
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
