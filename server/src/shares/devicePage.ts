import { digitsForm, linkPage, type AskedDigits } from '../auth/linkPage.ts'

/** The page behind a link: it says who asks, and takes the two digits. It has no script, and nothing is fetched for it. */
export function devicePage(state: AskedDigits | 'approved' | 'over'): string {
  if (state === 'approved') return linkPage('Approved', '<p>Go back to the other window. You can close this one.</p>')
  if (state === 'over') {
    return linkPage(
      'This link is over',
      '<p>It was used, or fifteen minutes are over. Ask for another one where you log in.</p>',
    )
  }
  return linkPage(
    'Is this you, on a new device?',
    `${digitsForm(state, 'Yes, this is me')}
    <p>If it is not you, close this page: without you nobody gets in.</p>`,
  )
}
