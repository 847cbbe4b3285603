import { textDirection } from '@latchkey/protocol/messages'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import type { Locale } from '../../messages/generated/index.ts'

/**
 * The look in light colours, as attributes, because several mail programs drop style sheets. Programs with dark colours
 * use the style sheet.
 */
const styles = {
  body: 'margin:0;padding:24px 12px;background:#f3f4f6;color:#17181c;font:16px/24px system-ui,-apple-system,"Segoe UI",sans-serif',
  card: 'max-width:480px;margin:0 auto;padding:24px;border-radius:24px;background:#fff;overflow-wrap:anywhere',
  text: 'margin:0 0 16px',
  code: 'margin:0 0 16px;padding:16px;border-radius:14px;background:#f3f4f6;font-size:28px;line-height:36px;font-weight:650;letter-spacing:.2em;text-align:center;direction:ltr;unicode-bidi:isolate',
  details:
    'margin:0 0 16px;padding:16px;border-radius:14px;background:#f3f4f6;color:#51545e;font-size:14px;line-height:20px',
  link: 'color:#2747c7;font-weight:550',
} as const

const darkCss =
  ':root{color-scheme:light dark;supported-color-schemes:light dark}' +
  '@media(prefers-color-scheme:dark){body{background:#0f1013!important;color:#f2f3f5!important}.card{background:#1a1b20!important}' +
  '.code,.details{background:#26272d!important}.details{color:#b1b4be!important}a{color:#9db2ff!important}}'

/**
 * Renders a mail's plain text as HTML, for its language and direction. Programs that show mail guess both otherwise, and
 * would order an Arabic text wrongly. It loads nothing from elsewhere.
 *
 * @param text paragraphs with an empty line between them; a paragraph can be a code, a link, or details on several lines
 */
export function mailHtml(text: string, language: Locale): string {
  const paragraphs = text.split('\n\n').map(paragraphHtml)
  return `<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <style>${darkCss}</style>
  </head>
  <body style="${escapeHtml(styles.body)}">
    <div class="card" style="${styles.card}">
    ${paragraphs.join('\n    ')}
    </div>
  </body>
</html>`
}

function paragraphHtml(paragraph: string): string {
  const escaped = escapeHtml(paragraph)
  if (/^\d{6}$/.test(paragraph)) return `<p class="code" style="${styles.code}">${escaped}</p>`
  if (/^https?:\/\/\S+$/.test(paragraph)) {
    return `<p dir="ltr" style="${styles.text}"><a href="${escaped}" style="${styles.link}">${escaped}</a></p>`
  }
  if (!paragraph.includes('\n')) return `<p style="${styles.text}">${escaped}</p>`
  return `<p class="details" style="${styles.details}">${escaped.replaceAll('\n', '<br>')}</p>`
}
