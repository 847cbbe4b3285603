import type { Latchkey } from '@latchkey/core'
import { revokeApproval, type Approval, type Outcome } from '@latchkey/core/money'
import { isLatchkeyError } from '@latchkey/protocol'
import { approvalsMessages, type ApprovalsMessages } from '../messages/generated/index.ts'
import { modalOf } from '../modal.ts'
import { showPendingToast } from '../notices/showToast.ts'
import { getReporter, showOutcome } from './createOutcomeReporter.ts'

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
    const { hash, outcome: pending } = await revokeApproval(latchkey, approval)
    onSent()
    const outcome = await pending
    const { chainId } = approval
    if (outcome.status === 'unknown') {
      const link = getReporter(latchkey).linkTo({ chainId, hash })
      showPendingToast(latchkey, messages.unknown, { hash, link })
      return undefined
    }
    const problem = isRevoked(outcome) ? undefined : messages.revokeFailed
    // The view of the open modal shows a failure itself.
    if (problem === undefined || !modalOf(latchkey).state.getState().open) {
      const transaction = { hash, chainId, what: { kind: 'revoke' } } as const
      await showOutcome(latchkey, transaction, outcome, problem ?? messages.revoked)
    }
    return problem
  } catch (error) {
    if (isLatchkeyError(error, 'request/rejected')) return messages.declined
    if (isLatchkeyError(error, 'approval/not-revocable')) return messages.notRevocable
    return isLatchkeyError(error, 'request/unknown') ? messages.uncertain : messages.revokeFailed
  }
}

function isRevoked(outcome: Outcome): boolean {
  return outcome.status === 'mined' || (outcome.status === 'replaced' && outcome.how === 'repriced')
}
