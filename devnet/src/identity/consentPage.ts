import { escapeHtmlText } from '../html.ts'
import { people } from './people.ts'

/** The security headers of the page. The form redirects to the requesting client on this machine. */
export const consentHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self' http://127.0.0.1:* http://localhost:*; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** The consent page of a provider: the user chooses a person and allows or denies the login. It needs no script. */
export function consentPage({ provider, client, scope }: { provider: string; client: string; scope: string }): string {
  const known = people.map(
    ({ name, email }) =>
      `<button name="person" value="${escapeHtmlText(email)}"><strong>${escapeHtmlText(name)}</strong> ${escapeHtmlText(email)}</button>`,
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escapeHtmlText(provider)} of the local world</title>
    <link rel="icon" href="data:,">
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
      body { max-width: 26rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.375rem; line-height: 1.25; }
      form { display: grid; gap: 0.5rem; margin-block: 1rem; padding-block-start: 1rem; border-block-start: 1px solid; }
      button { font: inherit; padding: 0.75rem 1rem; min-height: 2.75rem; text-align: start; }
      input:not([type='checkbox']) { font: inherit; padding: 0.5rem; min-height: 2.75rem; box-sizing: border-box; inline-size: 100%; }
    </style>
  </head>
  <body>
    <main>
      <h1>${escapeHtmlText(provider)} of the local world</h1>
      <p><strong>${escapeHtmlText(client)}</strong> wants to know who you are (${escapeHtmlText(scope)}). Identities are not checked here: choose any account.</p>
      <form method="post"><input type="hidden" name="decision" value="allow">${known.join('')}</form>
      <form method="post">
        <label>Name <input name="name" autocomplete="off" maxlength="80"></label>
        <label>E-mail <input name="email" type="email" required autocomplete="off" maxlength="254"></label>
        <label><input name="verified" type="checkbox" checked> The address is verified</label>
        <button name="decision" value="allow">Allow</button>
      </form>
      <form method="post"><button name="decision" value="deny">Deny</button></form>
    </main>
  </body>
</html>`
}
