import type { Clock } from '../contracts/clock.ts'
import { getRetryDelay } from './retryDelay.ts'

/** A response with the value of its header `Retry-After`. */
export type FetchedText = { ok: boolean; status: number; text: string; retryAfter: string | null }

const busyStatuses: readonly number[] = [429, 503]
const maxRepeats = 2

/**
 * Sends a read again while the server is busy, after the times that it asks for.
 *
 * @param first the response that the server gave
 * @returns the first response that says nothing about a wait, or the last one
 * @throws the signal's reason if it is aborted
 */
export async function repeatRead(
  first: FetchedText,
  read: () => Promise<FetchedText>,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<FetchedText> {
  let fetched = first
  for (let repeats = 0; repeats < maxRepeats && busyStatuses.includes(fetched.status); repeats += 1) {
    const delay = getRetryDelay(fetched.retryAfter, { now: clock.now(), random: Math.random() })
    if (delay === undefined) break
    await waitFor(clock, delay, signal)
    fetched = await read()
  }
  return fetched
}

function waitFor(clock: Clock, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      if (signal?.aborted === true) reject(signal.reason)
      else resolve()
    }
    const cancel = clock.after(milliseconds, end)
    signal?.addEventListener('abort', end)
    if (signal?.aborted === true) end()
  })
}
