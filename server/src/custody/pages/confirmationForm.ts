import { serverMessages } from '../../messages/generated/index.ts'
import { formatUtcTime } from '../../messages/mails.ts'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'

const { linkPage: texts } = serverMessages.english

/** The origin, browser and time of a request, shown before its approval. */
export type RequestDetails = { readonly origin: string; readonly browser: string; readonly at: number }

/** The state of a confirmation page: the link, the request, and whether wrong digits were entered before. */
export type ConfirmationPrompt = {
  readonly id: string
  readonly secret: string
  readonly request: RequestDetails
  readonly wrong?: boolean
}

/**
 * Renders the form that shows a request and asks for the two confirmation digits that the requesting window shows.
 *
 * @param button the button's text
 * @param action the address that the form is sent to; the page's own if empty
 */
export function confirmationForm(
  { id, secret, request, wrong = false }: ConfirmationPrompt,
  button: string,
  action = '',
): string {
  const refusal = wrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''
  return `<dl>
      <dt>${escapeHtml(texts.site)}</dt><dd>${escapeHtml(request.origin)}</dd>
      <dt>${escapeHtml(texts.browser)}</dt><dd>${escapeHtml(request.browser)}</dd>
      <dt>${escapeHtml(texts.time)}</dt><dd>${formatUtcTime(request.at)} UTC</dd>
    </dl>
    <form method="post"${action === '' ? '' : ` action="${action}"`}>
      ${linkFields({ id, secret })}
      <label for="match">${escapeHtml(texts.digits)}</label>
      <input id="match" name="match" inputmode="numeric" autocomplete="off" pattern="[0-9]{2}" required maxlength="2" autofocus${refusal}>
      ${wrong ? `<p id="wrong" role="alert">${escapeHtml(texts.wrongDigits)}</p>` : ''}
      <button>${escapeHtml(button)}</button>
    </form>`
}

/** Renders the hidden fields of a link. */
export function linkFields({ id, secret }: { id: string; secret: string }): string {
  return `<input type="hidden" name="id" value="${escapeHtml(id)}">
      <input type="hidden" name="secret" value="${escapeHtml(secret)}">`
}
