import type { PhoneSystem } from './walletLink.ts'

/** The phone on which a page runs, with the wallet beside it. */
export type Phone = {
  readonly system: PhoneSystem
  /** Follows a link that leads to another app. */
  open(link: string): void
}

/** The phone of this page; nothing on other machines. */
export function thisPhone(): Phone | undefined {
  if (typeof navigator === 'undefined' || typeof window === 'undefined') return undefined
  const { userAgent, maxTouchPoints } = navigator
  // Tablets of Apple say that they are desktops.
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  const system = isApple ? 'ios' : /Android/.test(userAgent) ? 'android' : undefined
  return system === undefined ? undefined : { system, open }
}

function open(link: string): void {
  // In place, a web address would take the page away; from a frame, an app may only be opened by the page around it.
  const target = link.startsWith('https:') ? '_blank' : window.top === window ? '_self' : '_top'
  window.open(link, target, 'noopener,noreferrer')
}
