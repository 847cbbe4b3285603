import { textDirection } from '@latchkey/protocol/messages'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import type { Locale } from '../../messages/generated/index.ts'

const codeStyle = 'font-size:1.5rem;font-weight:600;letter-spacing:.1em;direction:ltr;unicode-bidi:isolate'

/**
 * Renders a mail's plain text as HTML, for its language and direction. Programs that show mail guess both otherwise, and
 * would order an Arabic text wrongly. It loads nothing from elsewhere.
 *
 * @param text paragraphs with an empty line between them; a paragraph can be a code or a link
 */
export function mailHtml(text: string, language: Locale): string {
  const paragraphs = text.split('\n\n').map(paragraphHtml)
  return `<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
  <head><meta charset="utf-8"></head>
  <body style="font:1rem/1.5 system-ui,sans-serif;max-width:36rem">
    ${paragraphs.join('\n    ')}
  </body>
</html>`
}

function paragraphHtml(paragraph: string): string {
  const escaped = escapeHtml(paragraph)
  if (/^\d{6}$/.test(paragraph)) return `<p style="${codeStyle}">${escaped}</p>`
  if (/^https?:\/\/\S+$/.test(paragraph)) return `<p dir="ltr"><a href="${escaped}">${escaped}</a></p>`
  return `<p>${escaped.replaceAll('\n', '<br>')}</p>`
}
