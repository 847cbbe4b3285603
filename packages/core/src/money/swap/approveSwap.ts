import { sendTransaction } from '../../actions/askWallet.ts'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../latchkey.ts'
import { followTransaction } from '../pending/index.ts'
import type { Outcome } from '../transfers.ts'
import { asError } from './quoting.ts'
import { refreshOrder } from './reviewSwap.ts'
import { deskOf, type SwapOrder } from './state.ts'
import { swapError } from './swapError.ts'
import { LatchkeyError } from '@latchkey/protocol'

/**
 * Asks the wallet to let the exchange take what is given, just that amount, and waits until that is mined. However often
 * it is called, the wallet is asked once.
 *
 * @throws never: the order says what is next, or what went wrong.
 */
export async function approveSwap(latchkey: Latchkey): Promise<void> {
  const { store, turn } = deskOf(latchkey)
  const { order } = store.getState()
  const [call] = order.status === 'ready' && order.way === 'approve' ? order.calls : []
  if (order.status !== 'ready' || call?.to === undefined) return
  const { agreed, minimum } = order
  const { account, chainId, from, amount } = agreed.question
  const put = (next: SwapOrder): void => {
    if (deskOf(latchkey).turn === turn) store.setState({ order: next })
  }
  put({ status: 'asking', way: 'approve', agreed, minimum })
  try {
    const hash = await sendTransaction(latchkey, { to: call.to, data: call.data }, { chainId })
    put({ status: 'approving', hash, agreed, minimum })
    const outcome = await followTransaction(latchkey, {
      sent: { hash },
      chainId,
      from: account,
      what: { kind: 'approve', amount: formatAmount(amount, from.decimals), symbol: from.symbol, to: agreed.spender },
    })
    const error = failureOf(outcome, from.symbol)
    put({ ...order, ...(error !== undefined && { error }) })
    // What was approved is seen on the chain, not believed.
    if (error === undefined && deskOf(latchkey).turn === turn) await refreshOrder(latchkey)
  } catch (error) {
    put({ ...order, error: asError(error) })
  }
}

function failureOf(outcome: Outcome, symbol: string): LatchkeyError | undefined {
  switch (outcome.status) {
    case 'mined':
      return undefined
    case 'reverted':
      return swapError('swap/approval-failed', { symbol, reason: outcome.reason })
    case 'replaced':
      return outcome.how === 'cancelled'
        ? swapError('swap/approval-failed', { symbol, reason: 'cancelled' })
        : undefined
    case 'unknown':
      return new LatchkeyError('transaction/pending', { hash: outcome.hash, seconds: 25 })
  }
}
