import { useSyncExternalStore } from 'react'

/** The pages of the app, by their paths. */
export const pages = ['/', '/playground', '/account', '/status'] as const
export type Page = (typeof pages)[number]

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  return () => removeEventListener('popstate', listener)
}

function readPage(): Page {
  const path = location.pathname.replace(/(.)\/$/, '$1')
  return pages.find((page) => page === path) ?? '/'
}

/** The page that the address bar names. */
export function usePage(): Page {
  return useSyncExternalStore(subscribe, readPage, () => '/')
}

/** Goes to a page without loading the document anew. */
export function goTo(page: Page): void {
  history.pushState(null, '', page)
  dispatchEvent(new PopStateEvent('popstate'))
  scrollTo(0, 0)
}
