/** A page of the site, before VitePress renders it. */
export type Page = {
  /** The path in the site, without an extension: `start/react`. */
  path: string
  /** The file that it comes from, or the name of a generated page. */
  source: string
  markdown: string
}

/** The title of a page: its first heading. */
export function titleOf({ markdown, path }: Page): string {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? path
}

/** The first paragraph of a page, as plain text. Empty if the page begins with something else. */
export function summaryOf({ markdown }: Page): string {
  const [, body = ''] = markdown.split(/^# .+$/m)
  const paragraph = body.trim().split(/\n\s*\n/)[0] ?? ''
  if (/^(```|\||#|-|<|!)/.test(paragraph)) return ''
  return paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
