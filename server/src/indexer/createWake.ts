import { pause } from '../kit/runtime/pause.ts'

/** Ends a wait early when there is work. */
export type WakeSignal = {
  /** Ends the current wait, or else the next one. */
  trigger(): void
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Creates a wake for one waiting loop. */
export function createWake(): WakeSignal {
  let current = new AbortController()
  return {
    trigger: () => current.abort(),
    async wait(milliseconds, signal) {
      await pause(milliseconds, AbortSignal.any([signal, current.signal]))
      current = new AbortController()
    },
  }
}
