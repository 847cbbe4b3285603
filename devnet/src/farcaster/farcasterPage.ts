import { escapeHtmlText } from '../html.ts'
import type { FarcasterPerson } from './farcasterPeople.ts'

/** The security headers of the page. */
export const farcasterPageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** The consent page: shows the requesting site and lets the user choose an account. It needs no script. */
export function farcasterConsentPage(domain: string, people: readonly FarcasterPerson[]): string {
  const buttons = people.map(
    ({ fid, userName }) =>
      `<button name="fid" value="${fid}">Approve as <strong>${escapeHtmlText(userName)}</strong></button>`,
  )
  return createPage(
    'Farcaster of the local world',
    `<p><strong>${escapeHtmlText(domain)}</strong> wants to know who you are on Farcaster.</p>
      <form method="post">${buttons.join('')}</form>`,
  )
}

/** The page after the decision. */
export function farcasterResultPage(isTaken: boolean): string {
  if (isTaken) return createPage('Approved', '<p>Go back to the other window. You can close this one.</p>')
  return createPage(
    'This login was not completed',
    '<p>The login has ended, or there was none. Start again in the other window.</p>',
  )
}

function createPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
      body { max-width: 26rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.375rem; line-height: 1.25; }
      form { display: grid; gap: 0.5rem; }
      button { font: inherit; padding: 0.75rem 1rem; min-height: 2.75rem; text-align: start; }
    </style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>`
}
