import { sitePath } from './collectPages.ts'
import { summaryOf, titleOf, type Page } from './page.ts'
import { home, sections } from './sections.ts'

const introduction = `# Latchkey

> A wallet-connection stack that you can run yourself: React modal, headless core, adapters for four namespaces, WalletConnect client and relay, data service, embedded wallet. TypeScript, MIT.`

/**
 * The list of pages for language models (llmstxt.org). Each link leads to the Markdown of a page.
 */
export function formatLlms(pages: readonly Page[]): string {
  const groups = sections.map(({ title, pages: sources }) => {
    const rows = sources
      .flatMap((source) => pages.filter((page) => page.source === source))
      .map((page) => `- [${titleOf(page)}](${markdownPath(page)})${withColon(summaryOf(page))}`)
    return `## ${title}\n\n${rows.join('\n')}`
  })
  return `${[introduction, ...groups].join('\n\n')}\n`
}

/** The first page and all pages of the sections in one text, without API reports and decisions. */
export function formatFullLlms(pages: readonly Page[]): string {
  const sources = [home, ...sections.flatMap(({ pages: listed }) => listed)]
  const texts = sources
    .flatMap((source) => pages.filter((page) => page.source === source))
    .map((page) => `<!-- ${sitePath(page.path)} -->\n\n${withoutFrontmatter(page.markdown).trim()}`)
  return `${texts.join('\n\n')}\n`
}

/** The path of a page's Markdown. */
export function markdownPath({ path }: Page): string {
  return `/${path}.md`
}

/** The Markdown of a page without the settings of the generator. */
export function withoutFrontmatter(markdown: string): string {
  return markdown.replace(/^---\n[\s\S]*?\n---\n/, '')
}

function withColon(text: string): string {
  return text === '' ? '' : `: ${text}`
}
