import { escapeText, linkPage } from '../auth/linkPage.ts'
import type { LinkFacts } from './links.ts'

/** The page behind a link: it says who asks, and takes the two digits. It has no script, and nothing is fetched for it. */
export function devicePage(
  state: { facts: LinkFacts; id: string; secret: string; wrong?: boolean } | 'approved' | 'over',
): string {
  if (state === 'approved') return linkPage('Approved', '<p>Go back to the other window. You can close this one.</p>')
  if (state === 'over') {
    return linkPage(
      'This link is over',
      '<p>It was used, or fifteen minutes are over. Ask for another one where you log in.</p>',
    )
  }
  const { facts, id, secret, wrong = false } = state
  return linkPage(
    'Is this you, on a new device?',
    `<dl>
      <dt>Where</dt><dd>${escapeText(facts.origin)}</dd>
      <dt>With</dt><dd>${escapeText(facts.browser)}</dd>
      <dt>When</dt><dd>${new Date(facts.at).toISOString().slice(0, 16).replace('T', ' ')} UTC</dd>
    </dl>
    <form method="post">
      <input type="hidden" name="id" value="${escapeText(id)}">
      <input type="hidden" name="secret" value="${escapeText(secret)}">
      <label for="match">The two digits that the other window shows</label>
      <input id="match" name="match" inputmode="numeric" autocomplete="off" pattern="[0-9]{2}" required maxlength="2" autofocus${wrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''}>
      ${wrong ? '<p id="wrong" role="alert">Those are other digits. Look at the other window again.</p>' : ''}
      <button>Yes, this is me</button>
    </form>
    <p>If it is not you, close this page: without you nobody gets in.</p>`,
  )
}
