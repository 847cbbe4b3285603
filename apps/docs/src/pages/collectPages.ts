import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventsPage } from '../reference/eventsPage.ts'
import { hooksPage } from '../reference/hooksPage.ts'
import { messagesPage } from '../reference/messagesPage.ts'
import { optionsPage } from '../reference/optionsPage.ts'
import { viewsPage } from '../reference/viewsPage.ts'
import { titleOf, type Page } from './page.ts'
import { pathOfSource } from './pathOfSource.ts'
import { rewriteLinks } from './rewriteLinks.ts'
import { decisionList, home, reportList, sections } from './sections.ts'

/** The pages that are generated from sources. */
const generated: Readonly<Record<string, (root: string) => Promise<string>>> = {
  'reference/options': optionsPage,
  'reference/hooks': hooksPage,
  'reference/events': eventsPage,
  'reference/views': viewsPage,
  'reference/messages': messagesPage,
}

/** The documents that the site does not render: its own first page replaces the repository's. */
const replaced: Readonly<Record<string, string>> = { 'README.md': home, 'docs/README.md': home }

/**
 * Reads all pages of the site from the repository and generates the reference pages.
 *
 * @param root the repository
 * @throws Error if a page of the site map is missing
 */
export async function collectPages(root: string): Promise<readonly Page[]> {
  const lists = [decisionList, reportList]
  const listed = [home, ...sections.flatMap(({ pages }) => pages)].filter((source) => !lists.includes(source))
  const named = await Promise.all(listed.map(async (source) => toPage(source, await readSitePage(root, source))))
  const decided = await readFolder(root, 'docs/decisions', /\.md$/)
  const packages = await readdir(join(root, 'packages'))
  const reported = await Promise.all(
    packages.toSorted().map((name) => readFolder(root, `packages/${name}/api`, /\.api\.md$/)),
  )
  const apiPages = reported.flat().map(withoutSearch)
  const pages = [
    ...named.map((page) => (page.source === 'reference/messages' ? withoutSearch(page) : page)),
    listPage(decisionList, '# Decisions\n\nOne page per decision: what was chosen, and why.', decided),
    ...decided,
    listPage(reportList, '# API reports\n\nThe public types of every entry of every package.', apiPages),
    ...apiPages,
  ]
  const paths = new Map(pages.map(({ source, path }) => [source, sitePath(path)]))
  const resolve = (target: string): string | undefined =>
    paths.get(replaced[target] ?? target) ?? paths.get(posixReadme(target)) ?? picturePath(target)
  return pages.map((page) => ({ ...page, markdown: rewriteLinks(page.markdown, page.source, resolve) }))
}

/** The path by which a page is linked. */
export function sitePath(path: string): string {
  return `/${path === 'index' ? '' : path.replace(/\/index$/, '/')}`
}

async function readSitePage(root: string, source: string): Promise<string> {
  const generate = generated[source]
  return generate === undefined ? readFile(join(root, source), 'utf8') : generate(root)
}

async function readFolder(root: string, folder: string, name: RegExp): Promise<readonly Page[]> {
  const files = await readdir(join(root, folder)).catch(() => [])
  return Promise.all(
    files
      .filter((file) => name.test(file))
      .toSorted()
      .map(async (file) => toPage(`${folder}/${file}`, await readFile(join(root, folder, file), 'utf8'))),
  )
}

function toPage(source: string, markdown: string): Page {
  return { source, path: pathOfSource(source), markdown: withTitle(source, markdown) }
}

/** API reports begin with a heading of their tool, which repeats the package's name. */
function withTitle(source: string, markdown: string): string {
  const report = /\/api\/(.+)\.api\.md$/.exec(source)?.[1]
  if (report === undefined) return markdown
  return markdown.replace(/^## API Report File for .*\n[\s\S]*?```ts/m, `# ${entryName(report)}\n\n\`\`\`text`)
}

/** The import path of an entry: the report of `@latchkey/core/money` is `core-money`. */
function entryName(report: string): string {
  return report.replace(/^(appkit|core|verify|modal|walletconnect|testkit|elements|protocol)-/, '$1/')
}

const notSearchable = '---\nsearch: false\n---\n'

function withoutSearch(page: Page): Page {
  return { ...page, markdown: `${notSearchable}\n${page.markdown}` }
}

/** False for pages whose many names would hide the results that explain them. */
export function isSearchable(markdown: string): boolean {
  return !markdown.startsWith(notSearchable)
}

/** A page that lists the pages of a folder. */
function listPage(source: string, intro: string, pages: readonly Page[]): Page {
  const rows = pages.map((page) => `- [${titleOf(page)}](${sitePath(page.path)})`)
  return { source, path: `${pathOfSource(source)}/index`, markdown: `${intro}\n\n${rows.join('\n')}\n` }
}

/** Links may name a folder, which stands for its list of pages. */
function posixReadme(target: string): string {
  return `${target.replace(/\/$/, '')}/README.md`
}

function picturePath(target: string): string | undefined {
  return target.startsWith('docs/pictures/') ? target.replace(/^docs/, '') : undefined
}
