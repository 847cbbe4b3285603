import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'
import { pageCss } from './pageCss.ts'

/** The language of a page. */
export type PageLanguage = Pick<ServerWords, 'locale' | 'direction'>

/**
 * Renders a page of a service. It loads no other resources.
 *
 * @param title plain text
 * @param content markup, already escaped
 * @param script a script of ours; the page must be sent with `linkPageHeaders(script)`
 */
export function linkPage({ locale, direction }: PageLanguage, title: string, content: string, script?: string): string {
  return `<!doctype html>
<html lang="${locale}" dir="${direction}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:,">
    <style>${pageCss}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(title)}</h1>
      ${content}
    </main>${script === undefined ? '' : `\n    <script>${script}</script>`}
  </body>
</html>`
}

/** Renders a paragraph of plain text. */
export function formatParagraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

/** Returns the headers of a page: the browser may run the given script and use our style
 * sheet only, send forms to us only, and not frame the page. */
export function linkPageHeaders(script?: string): Readonly<Record<string, string>> {
  const scripts = script === undefined ? '' : `script-src ${sourceHash(script)}; `
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; ${scripts}style-src ${sourceHash(pageCss)}; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
}

/** The source expression of an inline script or style sheet (CSP 3). */
function sourceHash(content: string): string {
  return `'sha256-${sha256(content).toString('base64')}'`
}
