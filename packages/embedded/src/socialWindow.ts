import type { Clock } from '@latchkey/core'
import { embeddedError } from './errors.ts'

const pollMilliseconds = 1_000
/** A window that was closed while the visitor is back here; a moment is left for what it finished at last. */
const graceMilliseconds = 3_000

/** What is asked of a window that a click opened. */
export type OpenedWindow = Pick<Window, 'closed' | 'close' | 'document'> & {
  readonly location: Pick<Location, 'replace'>
}

/** A window for a provider's page. */
export type SocialWindow = {
  /** Shows an address in it. */
  go(uri: string): void
  close(): void
  /** Rejects when it was closed and nothing came of it; settled by nothing else. */
  closed(signal: AbortSignal): Promise<never>
}

/**
 * Opens the window, where the browser lets us: only in a click. It is empty at first. Any page of another origin would cut
 * it off at once from a page that isolates itself (COOP), which could then not lead it to the provider any more.
 */
export function openSocialWindow(): OpenedWindow | undefined {
  return window.open('', 'latchkey-login', 'popup,width=600,height=800') ?? undefined
}

/** Minds a window that was opened. */
export function mindWindow(opened: OpenedWindow, clock: Clock, title: string): SocialWindow {
  showWaiting(opened, title)
  return {
    go: (uri) => opened.location.replace(pageOf(uri)),
    close: () => opened.close(),
    closed: (signal) =>
      new Promise((_, reject) => {
        let cancel = (): void => {}
        let seen: number | undefined
        const look = (): void => {
          // A page that isolates itself looks closed from here; its visitor is there, and not here.
          const isGone = opened.closed && document.hasFocus()
          seen = isGone ? (seen ?? clock.now()) : undefined
          if (seen !== undefined && clock.now() - seen >= graceMilliseconds) {
            return reject(embeddedError('embedded/popup-closed', {}))
          }
          cancel = clock.after(pollMilliseconds, look)
        }
        signal.addEventListener('abort', () => cancel(), { once: true })
        look()
      }),
  }
}

/** Something to look at while the frame asks for the provider's page, in the words of no language. */
function showWaiting(opened: OpenedWindow, title: string): void {
  try {
    const page = opened.document
    page.title = title
    const bar = page.createElement('progress')
    bar.style.cssText = 'position: fixed; inset: 0; margin: auto'
    page.body.replaceChildren(bar)
  } catch {
    // A window of an attempt before: it shows a page of somebody else.
  }
}

/** Only pages are shown: an address with another scheme would run in the name of the window's opener. */
function pageOf(uri: string): string {
  const { protocol, href } = new URL(uri)
  if (protocol === 'https:' || protocol === 'http:') return href
  throw embeddedError('embedded/failed', { reason: 'An error occurred' })
}
