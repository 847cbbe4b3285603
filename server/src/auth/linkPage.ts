import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * A page of a service, for people: nothing is fetched for it. `content` is markup, `script` a line of ours that runs after it
 * where the page is sent with the headers for it.
 */
export function linkPage(title: string, content: string, script?: string): string {
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
    </main>${script === undefined ? '' : `\n    <script>${script}</script>`}
  </body>
</html>`
}

/** What the browser may do with the page: show it, alone, run the script that was given, and send its form back to us. */
export function linkPageHeadersWith(script?: string): Readonly<Record<string, string>> {
  const scripts = script === undefined ? '' : `script-src '${integrityOf(script)}'; `
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; ${scripts}style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
}

function integrityOf(script: string): string {
  return `sha256-${createHash('sha256').update(script).digest('base64')}`
}

export const linkPageHeaders = linkPageHeadersWith()

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Writes a text as markup. */
function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)
}

/** Takes forms of people's browsers under one path; everything else that a service is sent is JSON. */
export function servePosts(app: FastifyInstance, mount: (forms: FastifyInstance) => void): void {
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    )
    mount(forms)
  })
}

/** Reads short texts of a query or a form; what is missing is empty. */
export function readTexts<name extends string>(sent: unknown, names: readonly name[]): Record<name, string> {
  const entries = names.map((name) => {
    const value: unknown = typeof sent === 'object' && sent !== null ? Reflect.get(sent, name) : undefined
    return [name, typeof value === 'string' ? value.slice(0, 64) : '']
  })
  // One entry for each name.
  return Object.fromEntries(entries) as Record<name, string>
}

/** Who asks for something, as a page says it. */
export type AskerFacts = { readonly origin: string; readonly browser: string; readonly at: number }

/** A link, who asks by it, and whether other digits than the right ones were given before. */
export type AskedDigits = {
  readonly id: string
  readonly secret: string
  readonly facts: AskerFacts
  readonly wrong?: boolean
}

/** Says who asks, and takes the two digits that the asker sees: markup for a page of ours, which `button` sends back to it. */
export function digitsForm({ id, secret, facts, wrong = false }: AskedDigits, button: string, action = ''): string {
  const refusal = wrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''
  return `<dl>
      <dt>Where</dt><dd>${escapeText(facts.origin)}</dd>
      <dt>With</dt><dd>${escapeText(facts.browser)}</dd>
      <dt>When</dt><dd>${new Date(facts.at).toISOString().slice(0, 16).replace('T', ' ')} UTC</dd>
    </dl>
    <form method="post"${action === '' ? '' : ` action="${action}"`}>
      ${linkFields({ id, secret })}
      <label for="match">The two digits that the other window shows</label>
      <input id="match" name="match" inputmode="numeric" autocomplete="off" pattern="[0-9]{2}" required maxlength="2" autofocus${refusal}>
      ${wrong ? '<p id="wrong" role="alert">Those are other digits. Look at the other window again.</p>' : ''}
      <button>${button}</button>
    </form>`
}

function linkFields({ id, secret }: { id: string; secret: string }): string {
  return `<input type="hidden" name="id" value="${escapeText(id)}">
      <input type="hidden" name="secret" value="${escapeText(secret)}">`
}

/** A link of a mail that does one thing, once, when a button on its page is pressed. */
export type LinkedAct = {
  readonly path: `/${string}`
  readonly title: string
  /** What pressing the button does, and the button's words. */
  readonly says: string
  readonly button: string
  readonly done: string
  /** Whether the link is still good. Looking at it does nothing: mail systems look at links. */
  look(link: { id: string; secret: string }): Promise<boolean>
  /** @returns false when it was not good any more */
  act(link: { id: string; secret: string }): Promise<boolean>
}

/** Serves the page behind a link. */
export function serveLinkedAct(app: FastifyInstance, { path, title, says, button, done, look, act }: LinkedAct): void {
  const over = linkPage('This link is over', '<p>It was used, or its time is over. Nothing was changed.</p>')
  app.get(path, async ({ query }, reply) => {
    const { id, secret } = readTexts(query, ['id', 'secret'])
    const page = linkPage(
      title,
      `<p>${says}</p>
      <form method="post">
        ${linkFields({ id, secret })}
        <button>${button}</button>
      </form>`,
    )
    return reply.headers(linkPageHeaders).send((await look({ id, secret })) ? page : over)
  })
  servePosts(app, (forms) => {
    forms.post(path, async ({ body }, reply) => {
      const hasDone = await act(readTexts(body, ['id', 'secret']))
      return reply.headers(linkPageHeaders).send(hasDone ? linkPage(done, '<p>You can close this window.</p>') : over)
    })
  })
}
