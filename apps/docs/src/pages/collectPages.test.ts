import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../../../scripts/lib/gate.mjs'
import { collectPages, sitePath } from './collectPages.ts'
import { createSidebar, type SidebarEntry } from './createSidebar.ts'
import { formatFullLlms, formatLlms } from './formatLlms.ts'
import { titleOf, type Page } from './page.ts'
import { home } from './sections.ts'
import { slugifyHeading } from './slugifyHeading.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
let pages: readonly Page[]

beforeAll(async () => {
  pages = await collectPages(root)
})

function linksOf({ markdown }: Page): readonly string[] {
  const text = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(/(?<!!)\[(?:[^[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
}

/** The anchors of a page, with the suffixes of repeated headings. */
function anchorsOf({ markdown }: Page): ReadonlySet<string> {
  const text = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '')
  const slugs = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    slugifyHeading(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*]/g, '$1')),
  )
  return new Set(
    slugs.map((slug, index) => withSuffix(slug, slugs.slice(0, index).filter((each) => each === slug).length)),
  )
}

function withSuffix(slug: string, count: number): string {
  return count === 0 ? slug : `${slug}-${count}`
}

function entriesOf(entries: readonly SidebarEntry[]): readonly SidebarEntry[] {
  return entries.flatMap((entry) => [entry, ...entriesOf(entry.items ?? [])])
}

test('every link between pages leads to a page and a heading that exist', () => {
  const byPath = new Map(pages.map((page) => [sitePath(page.path), page]))
  const files = ['/llms.txt', '/llms-full.txt']
  const dead = pages.flatMap((page) =>
    linksOf(page).flatMap((link) => {
      if (/^\w+:/.test(link) || files.includes(link)) return []
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : byPath.get(path)
      if (target === undefined) return [`${page.source}: ${link}`]
      return anchor === undefined || anchorsOf(target).has(anchor) ? [] : [`${page.source}: ${link}`]
    }),
  )
  expect(dead).toEqual([])
})

test('every page but the first is in a sidebar', () => {
  const links = new Set(
    Object.values(createSidebar(pages)).flatMap((entries) => entriesOf(entries).map(({ link }) => link)),
  )
  const missing = pages.filter(({ source, path }) => source !== home && !links.has(sitePath(path)))
  expect(missing.map(({ source }) => source)).toEqual([])
})

test('every document of the repository is a page', async () => {
  const documents = await listFiles(root, /^(docs\/.*|(packages|apps)\/[^/]+\/README|CONTRIBUTING)\.md$/)
  const sources = new Set(pages.map(({ source }) => source))
  expect(documents.filter((source) => !sources.has(source))).toEqual([])
})

test('pages have different paths and a title', () => {
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
  expect(pages.filter((page) => page.source !== home && titleOf(page) === page.path)).toEqual([])
})

test('the reference pages have options, hooks, events, views and texts', () => {
  const read = (source: string): string => pages.find((page) => page.source === source)?.markdown ?? ''
  expect(read('reference/options')).toContain('| `adapters` (required) | `readonly Adapter[]` | One per namespace. |')
  expect(read('reference/hooks')).toContain('## `useSignMessage`')
  expect(read('reference/events')).toContain('| `modal-open` |')
  expect(read('reference/views')).toContain('| `ConnectingExternal` |')
  expect(read('reference/messages')).toContain('## `networkButton`')
})

test('the files for language models list the pages and contain their text', () => {
  expect(formatLlms(pages)).toContain('- [Hooks](/hooks.md): All hooks of `@latchkey/react`')
  const full = formatFullLlms(pages)
  expect(full).toContain('# React with Vite')
  expect(full).not.toContain('layout: FirstPage')
})
