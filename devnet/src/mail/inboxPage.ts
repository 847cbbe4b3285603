import { escapeHtmlText } from '../html.ts'
import type { ReceivedMail } from './startMail.ts'

/** The inbox as a page without scripts, refreshed every two seconds. */
export function inboxPage(mails: readonly ReceivedMail[]): string {
  const items = mails.map(
    ({ to, subject, text, at }) => `
      <article>
        <h2>${escapeHtmlText(subject)}</h2>
        <p>To ${escapeHtmlText(to.join(', '))}, <time>${new Date(at).toISOString().slice(11, 19)} UTC</time></p>
        <pre>${linkUrls(escapeHtmlText(text))}</pre>
      </article>`,
  )
  const content = items.length === 0 ? '<p>No mail yet. What the local world sends arrives here.</p>' : items.join('')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta http-equiv="refresh" content="2">
    <title>Inbox of the local world</title>
    <link rel="icon" href="data:,">
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
      article { border-block-start: 1px solid; padding-block: 1rem; }
      h1 { font-size: 1.5rem; }
      h2 { font-size: 1.125rem; margin: 0; }
      pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
    </style>
  </head>
  <body>
    <h1>Inbox of the local world</h1>
    ${content}
  </body>
</html>`
}

/** Only links to this machine are active. */
function linkUrls(escaped: string): string {
  return escaped.replace(
    /http:\/\/(?:[\w.-]+\.)?(?:localhost|127\.0\.0\.1)[^\s<]*/g,
    (url) => `<a href="${url}">${url}</a>`,
  )
}
