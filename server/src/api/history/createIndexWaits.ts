import { createWake, type WakeSignal } from '../../indexer/createWake.ts'
import { onIndexUpdate } from '../../indexer/indexUpdates.ts'
import type { Bus } from '../../kit/bus/bus.ts'

/** The wait of one request for changes of an address. */
export type IndexWait = {
  /** Resolves when the index reports a change since the last call, after a time, or when the signal aborts. */
  next(milliseconds: number, signal: AbortSignal): Promise<void>
  end(): void
}

/** The requests that wait for the index. */
export type IndexWaits = { begin(chains: readonly string[], address: string): IndexWait }

/** Creates the waits. The reports of the index save requests that wait from asking the database repeatedly. */
export function createIndexWaits(bus: Bus): IndexWaits {
  const waiting = new Map<string, Set<WakeSignal>>()
  onIndexUpdate(bus, ({ chain, concerned = [] }) => {
    if (waiting.size === 0) return
    for (const address of concerned) for (const wake of waiting.get(`${chain}/${address}`) ?? []) wake.trigger()
  })

  return {
    begin(chains, address) {
      const keys = chains.map((chain) => `${chain}/${address}`)
      const wake = createWake()
      for (const key of keys) waiting.set(key, (waiting.get(key) ?? new Set()).add(wake))
      return {
        next: wake.wait,
        end() {
          for (const key of keys) {
            const others = waiting.get(key)
            others?.delete(wake)
            if (others?.size === 0) waiting.delete(key)
          }
        },
      }
    },
  }
}
