import { parseAccountId, transactionError, type LatchkeyError } from '@latchkey/protocol'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { followTransaction, sendTracked } from '../pending/index.ts'
import type { Outcome } from '../transfers.ts'
import { toLatchkeyError } from './quotes.ts'
import { refreshOrder } from './reviewSwap.ts'
import { swapSessionOf, type SwapOrder } from './state.ts'
import { swapError } from './swapError.ts'

/**
 * Requests the approval of exactly the maximum to give, or the removal of a leftover allowance before it, and waits until
 * it is mined. Repeated calls send a single request.
 *
 * @throws never; the order has the next step or the error
 * @example await approveSwap(latchkey)
 */
export async function approveSwap(latchkey: Latchkey): Promise<void> {
  const { store, generation } = swapSessionOf(latchkey)
  const { order } = store.getState()
  if (order.status !== 'ready' || (order.step !== 'approve' && order.step !== 'reset')) return
  const { acceptedQuote, maximum, minimum, step } = order
  const [call] = order.calls
  if (call?.to === undefined) return
  const { account, chainId, from } = acceptedQuote.request
  const put = (next: SwapOrder): void => {
    if (swapSessionOf(latchkey).generation === generation) store.setState({ order: next })
  }
  put({ status: 'awaiting-wallet', step, acceptedQuote, maximum, minimum })
  try {
    const sent = await sendTracked(latchkey, { to: call.to, data: call.data }, { chainId, from: account })
    put({ status: 'approving', step, hash: sent.hash, acceptedQuote, maximum, minimum })
    const outcome = await followTransaction(latchkey, {
      sent,
      chainId,
      from: account,
      what: {
        kind: 'approve',
        amount: formatAmount(step === 'reset' ? 0n : maximum, from.decimals),
        symbol: from.symbol,
        to: parseAccountId(acceptedQuote.spender).address,
      },
    })
    const error = failureOf(outcome, from.symbol)
    put({ ...order, ...(error !== undefined && { error }) })
    if (error !== undefined || swapSessionOf(latchkey).generation !== generation) return
    store.setState({ doneSteps: [...store.getState().doneSteps, step] })
    // The approval is verified on the chain.
    await refreshOrder(latchkey)
  } catch (error) {
    put({ ...order, error: toLatchkeyError(error) })
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
      return transactionError('transaction/pending', { hash: outcome.hash, seconds: 25 })
  }
}
