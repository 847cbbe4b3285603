import type { Latchkey } from '@latchkey/core'
import { pendingTransactions, replaceTransaction, type PendingTransaction } from '@latchkey/core/money'
import { isLatchkeyError } from '@latchkey/protocol'
import { holdingsMessages, type HoldingsMessages } from '../messages/generated/index.ts'
import { showToast } from '../notices/showToast.ts'
import { reportOutcome } from './createOutcomeReporter.ts'

export type ReplaceOptions = {
  /** `faster` sends the same transaction with a higher fee, `cancel` an empty one. */
  how: 'faster' | 'cancel'
  /** The texts of the current language; English if omitted. */
  messages?: HoldingsMessages
}

/**
 * Asks the wallet to replace a pending transaction, and shows a toast once it was sent. Another toast shows the outcome.
 *
 * @returns undefined if it was sent, otherwise a text that says what to do
 * @throws never
 * @example const problem = await replaceWithNotices(latchkey, pending, { how: 'cancel' })
 */
export async function replaceWithNotices(
  latchkey: Latchkey,
  of: Pick<PendingTransaction, 'hash' | 'chainId'>,
  { how, messages: { details } = holdingsMessages.english }: ReplaceOptions,
): Promise<string | undefined> {
  try {
    const { sent, outcome } = await replaceTransaction(latchkey, of, how)
    void outcome.then((settled) => {
      if (settled.status === 'unknown') return
      // The wallet used another nonce, so its transaction replaced nothing.
      if (settled.status === 'mined' && isPending(pendingTransactions(latchkey).getState(), of)) {
        return showToast(latchkey, details.notReplaceable, { variant: 'error' })
      }
      const what = { kind: how === 'cancel' ? 'cancel' : 'other' } as const
      void reportOutcome(latchkey, { chainId: of.chainId, hash: sent.hash, what, replaces: of.hash }, settled)
    })
    showToast(latchkey, how === 'cancel' ? details.cancelSent : details.fasterSent)
    return undefined
  } catch (error) {
    if (isLatchkeyError(error, 'request/rejected')) return details.declined
    if (isLatchkeyError(error, 'transaction/not-replaceable')) return details.notReplaceable
    return details.replaceFailed
  }
}

function isPending(
  pending: readonly PendingTransaction[],
  { hash, chainId }: Pick<PendingTransaction, 'hash' | 'chainId'>,
): boolean {
  return pending.some((each) => each.hash === hash && each.chainId === chainId)
}
