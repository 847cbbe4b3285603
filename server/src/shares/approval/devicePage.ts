import { confirmationForm, type ConfirmationPrompt } from '../../custody/pages/confirmationForm.ts'
import { linkPage, paragraph } from '../../custody/pages/linkPage.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'

/** Renders the page of an approval link. It shows the request and asks for the confirmation digits. It has no script. */
export function devicePage(words: ServerWords, state: ConfirmationPrompt | 'approved' | 'over'): string {
  const { approvalPage: texts, linkPage: common } = words
  if (state === 'approved') return linkPage(words, texts.approvedTitle, paragraph(texts.approved))
  if (state === 'over') return linkPage(words, common.expiredTitle, paragraph(texts.expired))
  return linkPage(
    words,
    texts.title,
    `${confirmationForm(words, state, texts.confirm)}
    ${paragraph(texts.warning)}`,
  )
}
