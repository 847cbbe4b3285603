import type { Clock } from '@latchkey/core'

/** Interval and timeout of `pollUntil`. All times are milliseconds. */
export type PollOptions = {
  clock: Clock
  intervalMs: number
  /** The pause after the first attempt, which doubles up to `intervalMs`; `intervalMs` by default. */
  firstIntervalMs?: number
  timeout: number
  /** Aborting ends the wait at once. */
  signal?: AbortSignal
}

/**
 * Calls `look` again and again until it finds something. Failures don't end the wait: an endpoint that is down does not
 * change the outcome of a transaction.
 *
 * @returns the first result, or `undefined` after the timeout or an abort
 * @example const receipt = await pollUntil(() => findReceipt(hash), { clock, intervalMs: 1_000, timeout: 60_000 })
 */
export function pollUntil<result>(
  look: () => Promise<result | undefined>,
  { clock, intervalMs, firstIntervalMs = intervalMs, timeout, signal }: PollOptions,
): Promise<result | undefined> {
  return new Promise((resolve) => {
    let isOver = false
    let pauseMs = firstIntervalMs
    let cancelNext = (): void => {}
    const finish = (found?: result): void => {
      isOver = true
      cancelDeadline()
      cancelNext()
      signal?.removeEventListener('abort', onAbort)
      resolve(found)
    }
    const onAbort = (): void => finish()
    const attempt = async (): Promise<void> => {
      const found = await look().catch(() => undefined)
      if (isOver) return
      if (found !== undefined) return finish(found)
      cancelNext = clock.after(pauseMs, () => void attempt())
      pauseMs = Math.min(pauseMs * 2, intervalMs)
    }
    const cancelDeadline = clock.after(timeout, onAbort)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted === true) onAbort()
    else void attempt()
  })
}
