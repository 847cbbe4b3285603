import { digitsForm, linkPage, linkPageHeadersWith, type AskedDigits } from '../linkPage.ts'

/** How a provider's window ends. */
export type CallbackState = { readonly as: keyof typeof texts } | ({ readonly as: 'confirm' } & AskedDigits)

/** Takes the provider's answer out of the window's history, and closes the window where it may. */
const script =
  "history.replaceState(null,'',location.pathname);if(document.querySelector('[data-closes]')!==null)window.close()"

export const callbackHeaders = linkPageHeadersWith(script)

const texts = {
  done: { title: 'You are logged in', text: 'Go back to the other window. You can close this one.', closes: true },
  denied: { title: 'You are not logged in', text: 'It was not allowed. You can close this window.', closes: true },
  failed: {
    title: 'That did not work',
    text: 'The provider did not say who you are. You can close this window.',
    closes: false,
  },
  over: {
    title: 'This login is over',
    text: 'Begin again in the other window. You can close this one.',
    closes: false,
  },
} as const

/** The page that a provider's window ends on. Nothing of the provider's words gets into it. */
export function callbackPage(state: CallbackState): string {
  if (state.as !== 'confirm') {
    const { title, text, closes } = texts[state.as]
    return linkPage(title, `<p${closes ? ' data-closes' : ''}>${text}</p>`, script)
  }
  return linkPage(
    'Did you begin this login?',
    `<p>It was begun in another network or browser than this window is in:</p>
    ${digitsForm(state, 'Yes, I began it', '/auth/v1/social/confirm')}
    <p>If somebody sent you a link that led here, close this page: whoever sent it would get into your wallet.</p>`,
    script,
  )
}
