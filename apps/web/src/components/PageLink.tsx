import type { MouseEvent, ReactElement, ReactNode } from 'react'
import { navigate, type Page } from '../app/usePage.ts'

type PageLinkProps = { page: Page; current?: boolean; className?: string; children: ReactNode }

/** A link within the site. Modified clicks open a new tab as usual. */
export function PageLink({ page, current = false, className, children }: PageLinkProps): ReactElement {
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    navigate(page)
  }
  return (
    <a href={page} className={className} aria-current={current ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  )
}
