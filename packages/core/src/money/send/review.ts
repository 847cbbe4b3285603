import type { Latchkey } from '../../instance/latchkey.ts'
import { refreshBalance, refreshFee } from './fee.ts'
import type { SendStatus } from './sendState.ts'
import { patchSend, sendState } from './state.ts'

/**
 * Refreshes balances and the network fee, and checks the payment again.
 *
 * @returns `ready`, or the first thing that is missing or wrong
 * @example if ((await reviewSend(latchkey)) === 'ready') await sendNow(latchkey)
 */
export async function reviewSend(latchkey: Latchkey): Promise<SendStatus> {
  if (sendState(latchkey).getState().status !== 'ready') return sendState(latchkey).getState().status
  patchSend(latchkey, { problem: undefined, uncertain: false })
  await Promise.all([refreshBalance(latchkey), refreshFee(latchkey)])
  return sendState(latchkey).getState().status
}
