import { confirmationForm, type ConfirmationPrompt } from '../../custody/pages/confirmationForm.ts'
import { linkPage, paragraph } from '../../custody/pages/linkPage.ts'
import { serverMessages } from '../../messages/generated/index.ts'

const { approvalPage, linkPage: common } = serverMessages.english

/** Renders the page of an approval link. It shows the request and asks for the confirmation digits. It has no script. */
export function devicePage(state: ConfirmationPrompt | 'approved' | 'over'): string {
  if (state === 'approved') return linkPage(approvalPage.approvedTitle, paragraph(approvalPage.approved))
  if (state === 'over') return linkPage(common.expiredTitle, paragraph(approvalPage.expired))
  return linkPage(
    approvalPage.title,
    `${confirmationForm(state, approvalPage.confirm)}
    ${paragraph(approvalPage.warning)}`,
  )
}
