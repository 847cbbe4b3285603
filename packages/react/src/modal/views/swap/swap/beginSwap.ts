import { getAccount, type Latchkey } from '@latchkey/core'
import { swapState } from '@latchkey/core/money'
import { modalOf, openSwapFlow } from '@latchkey/modal'

/**
 * Begins a swap and requests the tokens, unless a swap is open or no wallet is connected. In a modal that is fading out, no
 * swap begins: nothing would end it.
 */
export function beginSwap(latchkey: Latchkey): void {
  if (!modalOf(latchkey).state.getState().open || getAccount(latchkey).status !== 'connected') return
  if (swapState(latchkey).getState().status === 'closed') void openSwapFlow(latchkey)
}
