import type { RequestFacts } from '../../messages/formatRequest.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import { requestFactList } from './actionLink.ts'

/** The source of a request, shown before its approval. */
export type RequestDetails = RequestFacts & { readonly origin: string }

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
  words: ServerWords,
  { id, secret, request, wrong = false }: ConfirmationPrompt,
  button: string,
  action = '',
): string {
  const refusal = wrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''
  const { linkPage: texts } = words
  return `${requestFactList(words, request)}
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
