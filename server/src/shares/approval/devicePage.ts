import { confirmationForm, type ConfirmationPrompt } from '../../custody/pages/confirmationForm.ts'
import { linkPage, formatParagraph } from '../../custody/pages/linkPage.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'
import type { LinkDetails } from './approvalLinks.ts'

/** The state of the page of a link: what it asks for, or how it ended. */
export type DevicePageState = (ConfirmationPrompt & { readonly request: LinkDetails }) | 'approved' | 'over'

/** Renders the page of an approval link. It shows the request and asks for the confirmation digits. It has no script. */
export function devicePage(words: ServerWords, state: DevicePageState): string {
  const { approvalPage: texts, contactConfirmationPage, linkPage: common } = words
  if (state === 'approved') return linkPage(words, texts.approvedTitle, formatParagraph(texts.approved))
  if (state === 'over') return linkPage(words, common.expiredTitle, formatParagraph(texts.expired))
  const { title, confirm, warning } = state.request.purpose === 'contact' ? contactConfirmationPage : texts
  return linkPage(
    words,
    title,
    `${confirmationForm(words, state, confirm)}
    ${formatParagraph(warning)}`,
  )
}
