import { createHash } from 'node:crypto'

/**
 * Computes the sources that allow the inline styles of a page in a content security policy (CSP Level 3).
 *
 * @param page the HTML of the page
 * @returns one source per style, without duplicates
 * @example hashInlineStyles('<style>p{color:red}</style>') // ["'sha256-…'"]
 */
export function hashInlineStyles(page: string): readonly string[] {
  const styles = [...page.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, style = '']) => style)
  return [...new Set(styles)].map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`)
}
