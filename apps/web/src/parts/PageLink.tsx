import type { MouseEvent, ReactElement, ReactNode } from 'react'
import { goTo, type Page } from '../app/route.ts'

type PageLinkProps = { page: Page; current?: boolean; className?: string; children: ReactNode }

/** A link within the site. Opening it in another tab works as with any link. */
export function PageLink({ page, current = false, className, children }: PageLinkProps): ReactElement {
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    goTo(page)
  }
  return (
    <a href={page} className={className} aria-current={current ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  )
}
