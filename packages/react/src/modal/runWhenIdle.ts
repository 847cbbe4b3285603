import type { Clock } from '@latchkey/core'

/** The time after which the buttons have been painted. */
const paintMilliseconds = 100

/**
 * Preloads code once the page is loaded and idle, unless the user asked to save data.
 *
 * @returns a function that cancels it
 */
export function runWhenIdle(clock: Clock, preload: () => void): () => void {
  if (savesData()) return () => {}
  let cancelIdle = (): void => {}
  const wait = (): void => {
    // Safari does not have it.
    if (!('requestIdleCallback' in window)) return preload()
    const id = requestIdleCallback(preload, { timeout: 2_000 })
    cancelIdle = () => cancelIdleCallback(id)
  }
  const begin = (): void => {
    cancelIdle = clock.after(paintMilliseconds, wait)
  }
  if (document.readyState === 'complete') begin()
  else addEventListener('load', begin, { once: true })
  return () => {
    removeEventListener('load', begin)
    cancelIdle()
  }
}

function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  const requested =
    typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
  return requested || matchMedia('(prefers-reduced-data: reduce)').matches
}
