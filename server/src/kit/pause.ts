import { setTimeout as sleep } from 'node:timers/promises'

/** Waits, and ends at once when it is given up. It never fails, and keeps no process alive. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}
