import type { PhoneSystem } from './walletLink.ts'

/** The phone that runs both this page and the wallet. */
export type Phone = {
  readonly system: PhoneSystem
  /** Opens a link to another app. */
  open(link: string): void
}

/** Detects the phone of this page. Returns `undefined` on other machines. */
export function detectPhone(): Phone | undefined {
  if (typeof navigator === 'undefined' || typeof window === 'undefined') return undefined
  const { userAgent, maxTouchPoints } = navigator
  // iPads identify as desktops.
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  const system = isApple ? 'ios' : /Android/.test(userAgent) ? 'android' : undefined
  return system === undefined ? undefined : { system, open: openAppLink }
}

function openAppLink(link: string): void {
  // A universal link in the same tab would replace the page. From a frame, only the top page may open an app.
  const target = link.startsWith('https:') ? '_blank' : window.top === window ? '_self' : '_top'
  window.open(link, target, 'noopener,noreferrer')
}
