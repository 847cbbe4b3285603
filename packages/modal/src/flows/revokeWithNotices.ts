import type { Latchkey } from '@latchkey/core'
import { revokeApproval, type Approval, type Outcome } from '@latchkey/core/money'
import { isLatchkeyError } from '@latchkey/protocol'
import { approvalsMessages, type ApprovalsMessages } from '../messages/generated/index.ts'
import { showToast } from '../notices/showToast.ts'

export type RevokeOptions = {
  /** Called once the wallet sent the transaction. */
  onSent?: () => void
  /** The texts of the current language; English if omitted. */
  messages?: ApprovalsMessages
}

/**
 * Asks the wallet to revoke an approval, waits for the outcome, and shows it in a toast.
 *
 * @returns undefined if the approval was revoked or its outcome is unknown, otherwise a text that says what to do
 * @throws never
 * @example const problem = await revokeWithNotices(latchkey, approval)
 */
export async function revokeWithNotices(
  latchkey: Latchkey,
  approval: Approval,
  { onSent = () => {}, messages = approvalsMessages.english }: RevokeOptions = {},
): Promise<string | undefined> {
  try {
    const { outcome } = await revokeApproval(latchkey, approval)
    onSent()
    const { notice, problem } = describeOutcome(await outcome, messages)
    if (notice !== undefined) showToast(latchkey, ...notice)
    return problem
  } catch (error) {
    if (isLatchkeyError(error, 'request/rejected')) return messages.declined
    if (isLatchkeyError(error, 'approval/not-revocable')) return messages.notRevocable
    return messages.revokeFailed
  }
}

type OutcomeTexts = {
  readonly notice?: readonly [text: string, options?: { variant: 'success' }]
  readonly problem?: string
}

function describeOutcome(outcome: Outcome, messages: ApprovalsMessages): OutcomeTexts {
  if (outcome.status === 'unknown') return { notice: [messages.unknown] }
  const isRevoked = outcome.status === 'mined' || (outcome.status === 'replaced' && outcome.how === 'repriced')
  return isRevoked ? { notice: [messages.revoked, { variant: 'success' }] } : { problem: messages.revokeFailed }
}
