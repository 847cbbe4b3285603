import { confirmationForm, type ConfirmationPrompt } from '../../custody/pages/confirmationForm.ts'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import { linkPage, linkPageHeaders, paragraph } from '../../custody/pages/linkPage.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'

/** The final state of a provider's window. */
export type CallbackState =
  { readonly as: keyof ReturnType<typeof finalTexts> } | ({ readonly as: 'confirm' } & ConfirmationPrompt)

/** Removes the provider's response from the window's history, and closes the window if the state allows it. */
const script =
  "history.replaceState(null,'',location.pathname);if(document.querySelector('[data-closes]')!==null)window.close()"

export const callbackHeaders = linkPageHeaders(script)

function finalTexts({ loginPage }: ServerWords) {
  return {
    done: { title: loginPage.doneTitle, text: loginPage.done, closes: true },
    denied: { title: loginPage.deniedTitle, text: loginPage.denied, closes: true },
    failed: { title: loginPage.failedTitle, text: loginPage.failed, closes: false },
    over: { title: loginPage.expiredTitle, text: loginPage.expired, closes: false },
  } as const
}

/** Renders the page that a provider's window ends on. It contains no text from the provider. */
export function callbackPage(words: ServerWords, state: CallbackState): string {
  const { loginPage } = words
  if (state.as !== 'confirm') {
    const { title, text, closes } = finalTexts(words)[state.as]
    return linkPage(words, title, `<p${closes ? ' data-closes' : ''}>${escapeHtml(text)}</p>`, script)
  }
  return linkPage(
    words,
    loginPage.confirmTitle,
    `${paragraph(loginPage.confirmText)}
    ${confirmationForm(words, state, loginPage.confirm, '/auth/v1/social/confirm')}
    ${paragraph(loginPage.confirmWarning)}`,
    script,
  )
}
