import type { Clock } from '@latchkey/core'
import { embeddedError } from '../embeddedError.ts'

const pollIntervalMs = 1_000
/** Time between a closed window and the end of the login. The provider may have finished. */
const graceMs = 3_000

/** The part of an opened window that is used. */
export type OpenedWindow = Pick<Window, 'closed' | 'close' | 'document'> & {
  readonly location: Pick<Location, 'replace'>
}

/** A window for an identity provider's page. */
export type SocialWindow = {
  /** Opens a URL in the window. */
  go(uri: string): void
  close(): void
  /** Rejects if the window was closed without a result. Never resolves. */
  closed(signal: AbortSignal): Promise<never>
}

/**
 * Opens an empty window, which browsers allow within a click only. A page of another origin would cut it off from an
 * isolated page (COOP), which could then not navigate it to the provider.
 */
export function openSocialWindow(): OpenedWindow | undefined {
  return window.open('', 'latchkey-login', 'popup,width=600,height=800') ?? undefined
}

/** Controls an opened window. */
export function watchSocialWindow(opened: OpenedWindow, clock: Clock, title: string): SocialWindow {
  showWaiting(opened, title)
  return {
    go: (uri) => opened.location.replace(pageOf(uri)),
    close: () => opened.close(),
    closed: (signal) =>
      new Promise((_, reject) => {
        let cancel = (): void => {}
        let seen: number | undefined
        const look = (): void => {
          // An isolated page (COOP) looks closed from here. In that case the focus is there and not here.
          const isGone = opened.closed && document.hasFocus()
          seen = isGone ? (seen ?? clock.now()) : undefined
          if (seen !== undefined && clock.now() - seen >= graceMs) {
            return reject(embeddedError('embedded/popup-closed', {}))
          }
          cancel = clock.after(pollIntervalMs, look)
        }
        signal.addEventListener('abort', () => cancel(), { once: true })
        look()
      }),
  }
}

/** Shows a progress bar without text until the provider's URL is known. */
function showWaiting(opened: OpenedWindow, title: string): void {
  try {
    const page = opened.document
    page.title = title
    const bar = page.createElement('progress')
    bar.style.cssText = 'position: fixed; inset: 0; margin: auto'
    page.body.replaceChildren(bar)
  } catch {
    // The window of an earlier attempt shows a page of another origin.
  }
}

/** Accepts http and https only: a URL with another scheme could run with the opener's rights. */
function pageOf(uri: string): string {
  const { protocol, href } = new URL(uri)
  if (protocol === 'https:' || protocol === 'http:') return href
  throw embeddedError('embedded/failed', { reason: 'An error occurred' })
}
