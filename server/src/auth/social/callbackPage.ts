import { createHash } from 'node:crypto'
import type { LoginFacts } from './socialLogins.ts'

/** How a provider's window ends. */
export type CallbackState =
  | { readonly as: 'done' | 'denied' | 'failed' | 'over' }
  | {
      readonly as: 'confirm'
      readonly id: string
      readonly secret: string
      readonly facts: LoginFacts
      readonly wrong?: boolean
    }

/** Takes the provider's answer out of the window's history, and closes the window where it may. */
const script = "history.replaceState(null,'',location.pathname);if(document.body.dataset.close==='yes')window.close()"
const hash = createHash('sha256').update(script).digest('base64')

/** What the browser may do with the page: show it, alone, run that one line, and send its form back to us. */
export const callbackHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

const texts = {
  done: { title: 'You are logged in', text: 'Go back to the other window. You can close this one.' },
  denied: { title: 'You are not logged in', text: 'It was not allowed. You can close this window.' },
  failed: { title: 'That did not work', text: 'The provider did not say who you are. You can close this window.' },
  over: { title: 'This login is over', text: 'Begin again in the other window. You can close this one.' },
} as const

/** The page that a provider's window ends on. Nothing of the provider's words gets into it. */
export function callbackPage(state: CallbackState): string {
  if (state.as !== 'confirm') {
    const { title, text } = texts[state.as]
    return page(title, `<p>${text}</p>`, state.as === 'done' || state.as === 'denied')
  }
  const { facts, id, secret, wrong = false } = state
  return page(
    'Did you begin this login?',
    `<p>It was begun in another network or browser than this window is in:</p>
    <dl>
      <dt>Where</dt><dd>${escape(facts.origin)}</dd>
      <dt>With</dt><dd>${escape(facts.browser)}</dd>
      <dt>When</dt><dd>${new Date(facts.at).toISOString().slice(0, 16).replace('T', ' ')} UTC</dd>
    </dl>
    <form method="post" action="/auth/v1/social/confirm">
      <input type="hidden" name="id" value="${escape(id)}">
      <input type="hidden" name="secret" value="${escape(secret)}">
      <label for="match">The two digits that the other window shows</label>
      <input id="match" name="match" inputmode="numeric" autocomplete="off" pattern="[0-9]{2}" required maxlength="2" autofocus${wrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''}>
      ${wrong ? '<p id="wrong" role="alert">Those are other digits. Look at the other window again.</p>' : ''}
      <button>Yes, I began it</button>
    </form>
    <p>If somebody sent you a link that led here, close this page: whoever sent it would get into your wallet.</p>`,
    false,
  )
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)
}

function page(title: string, content: string, closes: boolean): string {
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
  <body data-close="${closes ? 'yes' : 'no'}">
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
    <script>${script}</script>
  </body>
</html>`
}
