import { currentEntry } from '../../modal/modal.ts'
import { pushView } from '../../actions/navigation.ts'
import type { Latchkey } from '../../latchkey.ts'
import { refreshBalance, refreshFee } from './fee.ts'
import type { SendStatus } from './payment.ts'
import { patchSend, sendState } from './state.ts'

/**
 * Reads balances and fee once more, and shows the payment for review when nothing is missing.
 *
 * @returns what is missing otherwise
 * @example if ((await reviewSend(latchkey)) !== 'ready') return
 */
export async function reviewSend(latchkey: Latchkey): Promise<SendStatus> {
  if (sendState(latchkey).getState().status !== 'ready') return sendState(latchkey).getState().status
  patchSend(latchkey, { problem: undefined, uncertain: false })
  await Promise.all([refreshBalance(latchkey), refreshFee(latchkey)])
  const { status } = sendState(latchkey).getState()
  const modal = latchkey.modal.getState()
  if (status === 'ready' && modal.open && currentEntry(modal).view === 'WalletSend') {
    pushView(latchkey, { view: 'WalletSendPreview', params: {} })
  }
  return status
}
