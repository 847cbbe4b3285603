import { confirmationForm, type ConfirmationPrompt } from '../../custody/pages/confirmationForm.ts'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import { linkPage, linkPageHeaders, formatParagraph } from '../../custody/pages/linkPage.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'

/** Time for the frame to accept the login, before the page asks for the confirmation digits. */
const handoverTimeoutMs = 1_500

/** The final state of a provider's window. */
export type CallbackState =
  | { readonly as: keyof ReturnType<typeof finalTexts> }
  /** The window goes on to the share store's own login. */
  | { readonly as: 'continue'; readonly next: string }
  | ({ readonly as: 'confirm' } & CallbackPrompt)

type CallbackPrompt = ConfirmationPrompt & {
  /** The origin of the frame, if the page may hand its secret to a frame. */
  readonly frame?: string
  /** The share store's own login, which the window goes on to. */
  readonly next?: string | undefined
}

/**
 * Removes the provider's response from the window's history. Then hands the secret of the login to the frame in the same
 * browser: to the window that opened this one, or to a frame in it. The browser delivers it to the frame's origin only, not to
 * the app. The frame that began the login confirms its receipt. Without that, the page asks for the confirmation digits.
 * Then the window closes, or goes on to the share store's login.
 */
const script = `(() => {
  history.replaceState(null, '', location.pathname)
  const end = () => {
    const next = document.querySelector('a[data-next]')
    if (next === null) close()
    else location.replace(next.href)
  }
  if (document.querySelector('main [data-closes], main a[data-next]') !== null) return end()
  const main = document.querySelector('main')
  const form = document.querySelector('form')
  const frame = document.querySelector('[data-frame]')?.dataset.frame
  if (frame === undefined || opener === null) return
  const { id, secret } = form.elements
  const message = { type: 'latchkey/login', id: id.value, secret: secret.value }
  main.hidden = true
  const ask = setTimeout(() => { main.hidden = false }, ${handoverTimeoutMs})
  addEventListener('message', ({ origin, data }) => {
    if (origin !== frame || data?.type !== 'latchkey/login-accepted') return
    clearTimeout(ask)
    main.replaceChildren(document.querySelector('template').content)
    main.hidden = false
    end()
  })
  opener.postMessage(message, frame)
  for (let index = 0; index < Math.min(opener.length, 64); index += 1) opener[index].postMessage(message, frame)
})()`

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
  if (state.as === 'continue') return linkPage(words, loginPage.continueTitle, nextLink(words, state.next), script)
  if (state.as !== 'confirm') {
    const { title, text, closes } = finalTexts(words)[state.as]
    return linkPage(words, title, `<p${closes ? ' data-closes' : ''}>${escapeHtml(text)}</p>`, script)
  }
  return linkPage(
    words,
    loginPage.confirmTitle,
    `${formatParagraph(loginPage.confirmText)}
    ${confirmationForm(words, state, loginPage.confirm, '/auth/v1/social/confirm')}
    ${formatParagraph(loginPage.confirmWarning)}
    ${state.frame === undefined ? '' : handoverTemplate(words, state.frame, state.next)}`,
    script,
  )
}

/** The text after the frame has accepted the login. */
function handoverTemplate(words: ServerWords, frame: string, next: string | undefined): string {
  const { doneTitle, done, continueTitle } = words.loginPage
  return `<template data-frame="${escapeHtml(frame)}">
      <h1>${escapeHtml(next === undefined ? doneTitle : continueTitle)}</h1>
      ${next === undefined ? formatParagraph(done) : nextLink(words, next)}
    </template>`
}

function nextLink({ loginPage }: ServerWords, next: string): string {
  return `<p><a data-next href="${escapeHtml(next)}">${escapeHtml(loginPage.continue)}</a></p>`
}
