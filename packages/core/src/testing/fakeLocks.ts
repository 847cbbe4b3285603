import type { TabLocks } from '../money/pending/tabLocks.ts'

/** Web Locks with exclusive locks in order, and a function that closes the tab that holds them. */
export function fakeLocks(): TabLocks & { close(): void } {
  const tails = new Map<string, Promise<unknown>>()
  let close = (): void => {}
  const closed = new Promise<void>((resolve) => (close = resolve))
  return {
    close: () => close(),
    request: (name: string, ...rest: readonly unknown[]) => {
      const run = rest.at(-1) as () => unknown
      const result = (tails.get(name) ?? Promise.resolve()).then(run)
      tails.set(name, Promise.race([result, closed]))
      return result as Promise<never>
    },
  }
}
