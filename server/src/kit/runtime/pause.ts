import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the time has passed or the signal aborts. Never rejects, and does not keep the process alive. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}
