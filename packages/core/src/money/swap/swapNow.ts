import { connectionForRequest } from '../../requests/requestOptions.ts'
import { submitCalls } from '../../requests/sendCalls.ts'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import {
  followCalls,
  followTransaction,
  sendTracked,
  type CallsOutcome,
  type NamedTransaction,
  type Purpose,
} from '../pending/index.ts'
import { fetchSwapQuote } from './fetchSwapQuote.ts'
import { closeSwap, readBalance } from './openSwap.ts'
import { toLatchkeyError } from './quotes.ts'
import { prepareOrder } from './reviewSwap.ts'
import { swapSessionOf, type SwapOrder, type SwapQuote } from './state.ts'
import { isBeyondLimits } from './swapAmounts.ts'
import { swapError } from './swapError.ts'

type Ready = SwapOrder & { status: 'ready' }

/** A swap that the wallet sent. */
export type SentSwap = {
  /** The quote that the user agreed to. */
  readonly quote: SwapQuote
  /** The hash of its transaction, or the id of its batch. */
  readonly transaction: NamedTransaction
  /** True if the user left the swap before the wallet sent it. */
  readonly isAbandoned: boolean
  /** Resolves when the swap is final on the chain. Never rejects. */
  readonly outcome: Promise<CallsOutcome>
}

/**
 * Asks the wallet to swap, or to approve and swap in one batch. Checks price and balance again first, and sends no
 * request if the price moved beyond the slippage. Repeated calls send a single request. The form is reset once the wallet
 * sent the swap.
 *
 * @returns the sent swap; `undefined` if nothing was sent, and `order` in the swap state then has the reason
 * @throws never
 * @example const outcome = await (await swapNow(latchkey))?.outcome
 */
export async function swapNow(latchkey: Latchkey): Promise<SentSwap | undefined> {
  const { store, generation } = swapSessionOf(latchkey)
  const { order } = store.getState()
  if (order.status !== 'ready' || (order.step !== 'swap' && order.step !== 'batch')) return undefined
  const { step, acceptedQuote, maximum, minimum } = order
  const hasUserLeft = (): boolean => swapSessionOf(latchkey).generation !== generation
  store.setState({ order: { status: 'awaiting-wallet', step, acceptedQuote, maximum, minimum } })
  try {
    const worse = await findWorseQuote(latchkey, order)
    // A user who left before the wallet was asked no longer wants the swap.
    if (hasUserLeft()) return undefined
    if (worse !== undefined) return await proposeNewQuote(latchkey, worse)
    const { transaction, follow } = await submitSwap(latchkey, order)
    const isAbandoned = hasUserLeft()
    if (!isAbandoned) closeSwap(latchkey)
    return { quote: acceptedQuote, transaction, isAbandoned, outcome: follow() }
  } catch (error) {
    if (!hasUserLeft()) store.setState({ order: { ...order, error: toLatchkeyError(error) } })
    return undefined
  }
}

/**
 * Returns the current quote if it is beyond the agreed limits.
 *
 * @throws LatchkeyError `swap/insufficient-balance`, and the errors of a quote request
 */
async function findWorseQuote(latchkey: Latchkey, order: Ready): Promise<SwapQuote | undefined> {
  const { request } = order.acceptedQuote
  const { from } = request
  const [fresh, balance] = await Promise.all([
    fetchSwapQuote(latchkey, request, new AbortController().signal),
    readBalance(latchkey, from).catch(() => undefined),
  ])
  if (balance !== undefined && balance < order.maximum) {
    throw swapError('swap/insufficient-balance', { symbol: from.symbol })
  }
  return isBeyondLimits(fresh, order) ? fresh : undefined
}

/** Shows the new price, and prepares a new order. */
async function proposeNewQuote(latchkey: Latchkey, fresh: SwapQuote): Promise<undefined> {
  swapSessionOf(latchkey).store.setState({
    quote: { status: 'ready', quote: fresh },
    order: { status: 'checking', acceptedQuote: fresh },
  })
  await prepareOrder(latchkey, fresh, swapError('swap/price-moved', {}))
}

/** Sends the swap to the wallet. Resolves once it was sent. */
async function submitSwap(
  latchkey: Latchkey,
  { step, acceptedQuote, calls }: Ready,
): Promise<{ transaction: NamedTransaction; follow(): Promise<CallsOutcome> }> {
  const { account, chainId } = acceptedQuote.request
  const what = purposeOf(acceptedQuote)
  const followed = { chainId, from: account, what }
  if (step === 'batch') {
    const { id } = await submitCalls(latchkey, { calls, atomic: true }, { chainId })
    return { transaction: { hash: id, chainId, what }, follow: () => followCalls(latchkey, { id, ...followed }) }
  }
  const [call] = calls
  if (call?.to === undefined) throw swapError('swap/refused', { reason: 'the quote contains no transaction' })
  const { to, value, data, gas } = call
  const sent = await sendTracked(await connectionForRequest(latchkey, { chainId }), { to, value, data, gas })
  const follow = (): Promise<CallsOutcome> => followTransaction(latchkey, { sent, ...followed })
  return { transaction: { hash: sent.hash, chainId, what }, follow }
}

/** Only the exact amount is known before the swap is mined. */
function purposeOf({ request: { from, to, exact }, fromAmount, toAmount }: SwapQuote): Purpose {
  const { symbol } = from
  if (exact === 'to') return { kind: 'swap', symbol, to: `${formatAmount(toAmount, to.decimals)} ${to.symbol}` }
  return { kind: 'swap', amount: formatAmount(fromAmount, from.decimals), symbol, to: to.symbol }
}
