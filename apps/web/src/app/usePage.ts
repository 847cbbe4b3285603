import { useSyncExternalStore } from 'react'

/** The pages of the app, by their paths. */
export const pages = ['/', '/playground', '/account', '/status'] as const
export type Page = (typeof pages)[number]

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  return () => removeEventListener('popstate', listener)
}

/** Returns the page in the address bar. */
export function currentPage(): Page {
  const path = location.pathname.replace(/(.)\/$/, '$1')
  return pages.find((page) => page === path) ?? '/'
}

/**
 * Returns the page in the address bar, and updates the component when it changes.
 *
 * @param firstPage the page that the host renders
 */
export function usePage(firstPage: Page): Page {
  return useSyncExternalStore(subscribe, currentPage, () => firstPage)
}

/** Navigates to a page without a reload. */
export function navigate(page: Page): void {
  history.pushState(null, '', page)
  dispatchEvent(new PopStateEvent('popstate'))
  scrollTo(0, 0)
}
