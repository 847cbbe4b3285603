import { getAccount, type Latchkey } from '@latchkey/core'
import { swapState } from '@latchkey/core/money'
import { openSwapFlow } from '@latchkey/modal'

/** Begins a swap and requests the tokens, unless a swap is open or no wallet is connected. */
export function prepareSwap(latchkey: Latchkey): void {
  if (getAccount(latchkey).status !== 'connected') return
  if (swapState(latchkey).getState().status === 'closed') void openSwapFlow(latchkey)
}
