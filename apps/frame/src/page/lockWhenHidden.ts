import type { KeyHolder } from '../worker/keyHolder.ts'

const hiddenMs = 15 * 60_000

/** Wipes the keys after the page was hidden for 15 minutes. */
export function lockWhenHidden(page: Document, holder: Pick<KeyHolder, 'lock'>): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  page.addEventListener('visibilitychange', () => {
    clearTimeout(timer)
    if (page.visibilityState === 'hidden') timer = setTimeout(() => void holder.lock(), hiddenMs)
  })
}
