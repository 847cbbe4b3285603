import { parseAccountId, transactionError, type LatchkeyError } from '@latchkey/protocol'
import { connectionForRequest } from '../../requests/requestOptions.ts'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { followTransaction, sendTracked, type NamedTransaction, type Purpose } from '../pending/index.ts'
import type { Outcome } from '../transfers.ts'
import { toLatchkeyError } from './quotes.ts'
import { refreshOrder } from './reviewSwap.ts'
import { swapSessionOf, type SwapOrder } from './state.ts'
import { swapError } from './swapError.ts'

/** An approval that the wallet sent, and its outcome. */
export type SentApproval = { readonly transaction: NamedTransaction; readonly outcome: Outcome }

/**
 * Requests the approval of exactly the maximum to give, or the removal of a leftover allowance before it, and waits until
 * it is mined. Repeated calls send a single request.
 *
 * @returns the sent approval; `undefined` if nothing was sent
 * @throws never; the order has the next step or the error
 * @example await approveSwap(latchkey)
 */
export async function approveSwap(latchkey: Latchkey): Promise<SentApproval | undefined> {
  const { store, generation } = swapSessionOf(latchkey)
  const { order } = store.getState()
  if (order.status !== 'ready' || (order.step !== 'approve' && order.step !== 'reset')) return undefined
  const { acceptedQuote, maximum, minimum, step } = order
  const [call] = order.calls
  if (call?.to === undefined) return undefined
  const { account, chainId, from } = acceptedQuote.request
  const put = (next: SwapOrder): void => {
    if (swapSessionOf(latchkey).generation === generation) store.setState({ order: next })
  }
  put({ status: 'awaiting-wallet', step, acceptedQuote, maximum, minimum })
  try {
    const sent = await sendTracked(await connectionForRequest(latchkey, { chainId }), { to: call.to, data: call.data })
    const { hash } = sent
    put({ status: 'approving', step, hash, acceptedQuote, maximum, minimum })
    const what: Purpose = {
      kind: 'approve',
      amount: formatAmount(step === 'reset' ? 0n : maximum, from.decimals),
      symbol: from.symbol,
      to: parseAccountId(acceptedQuote.spender).address,
    }
    const outcome = await followTransaction(latchkey, { sent, chainId, from: account, what })
    const error = failureOf(outcome, from.symbol)
    put({ ...order, ...(error !== undefined && { error }) })
    if (error === undefined && swapSessionOf(latchkey).generation === generation) {
      if (isApproved(outcome)) store.setState({ doneSteps: [...store.getState().doneSteps, step] })
      // The approval is verified on the chain.
      await refreshOrder(latchkey)
    }
    return { transaction: { hash, chainId, what }, outcome }
  } catch (error) {
    put({ ...order, error: toLatchkeyError(error) })
    return undefined
  }
}

/** True unless another transaction with the same nonce took its place. */
function isApproved(outcome: Outcome): boolean {
  return outcome.status === 'mined' || (outcome.status === 'replaced' && outcome.how === 'repriced')
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
