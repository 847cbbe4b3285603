import type { Duplex } from 'node:stream'

/** Limits how many of a thing, such as connections, are open at the same time per key, such as a client or an address. */
export type ConcurrencyLimiter = {
  /**
   * Counts one more of a key, if fewer than the maximum are open.
   *
   * @returns a function that subtracts it again, however often it is called; `undefined` at the maximum
   */
  acquire(key: string, maximum: number): Promise<Release | undefined>
}

export type Release = () => void

/**
 * Counts a connection until its stream closes. A rejected connection counts, too, until its client has closed it.
 *
 * @returns false at the maximum
 */
export async function acquireUntilClosed(
  limiter: ConcurrencyLimiter,
  { stream, key, maximum }: { stream: Duplex; key: string; maximum: number },
): Promise<boolean> {
  const release = await limiter.acquire(key, maximum)
  if (release === undefined) return false
  if (stream.destroyed) release()
  else stream.once('close', release)
  return true
}

/** The counts of a process by key. Keys of which nothing is open take no memory. */
export type OwnCounts = {
  get(key: string): number
  /** Adds to the count of a key, and returns it. */
  add(key: string, change: number): number
  entries(): Iterable<readonly [string, number]>
}

/** Creates empty counts. */
export function createOwnCounts(): OwnCounts {
  const counts = new Map<string, number>()
  return {
    get: (key) => counts.get(key) ?? 0,
    add(key, change) {
      const next = (counts.get(key) ?? 0) + change
      if (next === 0) counts.delete(key)
      else counts.set(key, next)
      return next
    },
    entries: () => counts.entries(),
  }
}

/** Creates a limiter of this process alone. */
export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const counts = createOwnCounts()
  return {
    async acquire(key, maximum) {
      if (counts.get(key) >= maximum) return undefined
      counts.add(key, 1)
      return runOnce(() => counts.add(key, -1))
    },
  }
}

/** Returns a function that runs another one with its first call only. */
export function runOnce(run: () => void): Release {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}
