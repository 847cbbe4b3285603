import { ConnectButton } from '@latchkey/react'
import type { ReactElement } from 'react'
import type { Page } from '../app/usePage.ts'
import { PageLink } from './PageLink.tsx'

const links: ReadonlyArray<[Page, string]> = [
  ['/playground', 'Playground'],
  ['/account', 'Account'],
  ['/status', 'Status'],
]

export function SiteHeader({ page }: { page: Page }): ReactElement {
  return (
    <header className="site-header">
      <PageLink className="brand" page="/" current={page === '/'}>
        <img src="/icon.svg" alt="" width="28" height="28" />
        <span>Latchkey</span>
      </PageLink>
      <nav aria-label="Pages">
        {links.map(([target, name]) => (
          <PageLink key={target} page={target} current={page === target}>
            {name}
          </PageLink>
        ))}
      </nav>
      <ConnectButton />
    </header>
  )
}
