import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'

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
    <meta name="viewport" content="width=device-width">
    <title>${escapeHtml(title)}</title>
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
      body { max-width: 26rem; margin: 3rem auto; padding: 0 1rem; }
      h1 { font-size: 1.375rem; line-height: 1.25; }
      dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; }
      dd { margin: 0; overflow-wrap: anywhere; }
      label { display: block; margin-block: 1.5rem 0.5rem; }
      input { font: inherit; font-size: 1.5rem; width: 3em; padding: 0.5rem; text-align: center; }
      button { font: inherit; display: block; margin-block: 1rem; padding: 0.75rem 1.25rem; min-height: 2.75rem; }
      [role='alert'] { font-weight: 600; }
    </style>
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
export function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`
}

/** Returns the headers of a page: the browser may run the given script only, send forms to us only, and not frame the page. */
export function linkPageHeaders(script?: string): Readonly<Record<string, string>> {
  const scripts = script === undefined ? '' : `script-src '${scriptHash(script)}'; `
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; ${scripts}style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
}

function scriptHash(script: string): string {
  return `sha256-${sha256(script).toString('base64')}`
}
