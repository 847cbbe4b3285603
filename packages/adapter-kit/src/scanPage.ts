import { systemClock, type Clock } from '@latchkey/core'

/** Delays of further scans, in milliseconds, for wallets that inject themselves late. */
const delaysMs = [300, 1_500] as const

/**
 * Looks for injected wallets now, when the page has loaded, and twice shortly after.
 *
 * @returns a function that stops looking
 * @example const stop = scanPage(window, systemClock, () => addWallets(window))
 */
export function scanPage(page: EventTarget, clock: Clock = systemClock, look: () => void): () => void {
  look()
  page.addEventListener('load', look)
  const cancels = delaysMs.map((delayMs) => clock.after(delayMs, look))
  return () => {
    page.removeEventListener('load', look)
    for (const cancel of cancels) cancel()
  }
}
