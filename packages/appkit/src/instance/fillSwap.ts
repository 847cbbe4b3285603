import type { Latchkey } from '@latchkey/core'
import { openSwapFlow } from '@latchkey/modal'

/** The values of a swap. Tokens are named by their CAIP-10 ids. */
export type SwapArguments = { fromToken?: string; toToken?: string; amount?: string }

/** Fills in the open swap form. A file of its own, so that apps load the code of swaps with the first one. */
export async function fillSwap(
  { latchkey }: { latchkey: Latchkey },
  { fromToken: from, toToken: to, amount }: SwapArguments,
): Promise<void> {
  await openSwapFlow(latchkey, { from, to, amount })
}
