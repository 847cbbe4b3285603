import { sitePath } from './collectPages.ts'
import { titleOf, type Page } from './page.ts'
import { sections, shortTitles } from './sections.ts'

/** An entry of VitePress's sidebar. */
export type SidebarEntry = { text: string; link?: string; items?: SidebarEntry[] }

/** Lists, by the path that they belong to. The list of the longest matching path is shown. */
export type Sidebars = Record<string, SidebarEntry[]>

/**
 * Lists all pages but the first in groups, in the reader's order. API reports and decisions have lists of their own, because
 * every page contains its list.
 */
export function createSidebar(pages: readonly Page[]): Sidebars {
  const groups = sections.map(({ title, pages: sources }) => ({
    text: title,
    items: sources.flatMap((source) => pages.filter((page) => page.source === source)).map(toEntry),
  }))
  const below = (folder: string): SidebarEntry[] => pages.filter(({ path }) => path.startsWith(folder)).map(toEntry)
  const back = { text: 'All documentation', link: '/' }
  return {
    '/': groups,
    '/reference/api/': [back, { text: 'API reports', items: below('reference/api/') }],
    '/decisions/': [back, { text: 'Decisions', items: below('decisions/') }],
  }
}

function toEntry(page: Page): SidebarEntry {
  return { text: shortTitles[page.source] ?? titleOf(page), link: sitePath(page.path) }
}
