import { setTimeout as sleep } from 'node:timers/promises'

/** Waits a while, or until a signal ends all waiting. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined)
}
