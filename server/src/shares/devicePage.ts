import type { LinkFacts } from './links.ts'

/** The page behind a link: it says who asks, and takes the two digits. It has no script, and nothing is fetched for it. */
export function devicePage(
  state: { facts: LinkFacts; id: string; secret: string; wrong?: boolean } | 'approved' | 'over',
): string {
  if (state === 'approved') return page('Approved', '<p>Go back to the other window. You can close this one.</p>')
  if (state === 'over') {
    return page(
      'This link is over',
      '<p>It was used, or fifteen minutes are over. Ask for another one where you log in.</p>',
    )
  }
  const { facts, id, secret, wrong = false } = state
  return page(
    'Is this you, on a new device?',
    `<dl>
      <dt>Where</dt><dd>${escape(facts.origin)}</dd>
      <dt>With</dt><dd>${escape(facts.browser)}</dd>
      <dt>When</dt><dd>${new Date(facts.at).toISOString().slice(0, 16).replace('T', ' ')} UTC</dd>
    </dl>
    <form method="post">
      <input type="hidden" name="id" value="${escape(id)}">
      <input type="hidden" name="secret" value="${escape(secret)}">
      <label for="match">The two digits that the other window shows</label>
      <input id="match" name="match" inputmode="numeric" autocomplete="off" pattern="[0-9]{2}" required maxlength="2" autofocus${wrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''}>
      ${wrong ? '<p id="wrong" role="alert">Those are other digits. Look at the other window again.</p>' : ''}
      <button>Yes, this is me</button>
    </form>
    <p>If it is not you, close this page: without you nobody gets in.</p>`,
  )
}

/** What the browser may do with the page: show it, alone, and send its form back to us. */
export const devicePageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
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
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>`
}
