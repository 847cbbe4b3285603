import type { Latchkey } from '@latchkey/core'
import { replaceTransaction, type PendingTransaction } from '@latchkey/core/money'
import { isLatchkeyError } from '@latchkey/protocol'
import { holdingsMessages, type HoldingsMessages } from '../messages/generated/index.ts'
import { showToast } from '../notices/showToast.ts'

export type ReplaceOptions = {
  /** `faster` sends the same transaction with a higher fee, `cancel` an empty one. */
  how: 'faster' | 'cancel'
  /** The texts of the current language; English if omitted. */
  messages?: HoldingsMessages
}

/**
 * Asks the wallet to replace a pending transaction, and shows a toast once it was sent.
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
    await replaceTransaction(latchkey, of, how)
    showToast(latchkey, how === 'cancel' ? details.cancelSent : details.fasterSent)
    return undefined
  } catch (error) {
    if (isLatchkeyError(error, 'request/rejected')) return details.declined
    if (isLatchkeyError(error, 'transaction/not-replaceable')) return details.notReplaceable
    return details.replaceFailed
  }
}
