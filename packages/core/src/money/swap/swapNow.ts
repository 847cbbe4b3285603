import { sendCalls } from '../../requests/sendCalls.ts'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { followCalls, followTransaction, sendTracked, type Purpose } from '../pending/index.ts'
import type { Outcome } from '../transfers.ts'
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
  /** True if the user left the swap before the wallet sent it. */
  readonly isAbandoned: boolean
  /** Resolves when the swap is final on the chain. Never rejects. */
  readonly outcome: Promise<Outcome>
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
    const follow = await submitSwap(latchkey, order)
    const isAbandoned = hasUserLeft()
    if (!isAbandoned) closeSwap(latchkey)
    return { quote: acceptedQuote, isAbandoned, outcome: follow() }
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

/** Sends the swap to the wallet. Resolves once it was sent, with a function that waits for the outcome. */
async function submitSwap(latchkey: Latchkey, { step, acceptedQuote, calls }: Ready): Promise<() => Promise<Outcome>> {
  const { account, chainId } = acceptedQuote.request
  const what = purposeOf(acceptedQuote)
  const followed = { chainId, from: account, what }
  if (step === 'batch') {
    const { id } = await sendCalls(latchkey, { calls, atomic: true }, { chainId })
    return () => followBatch(latchkey, id, followed)
  }
  const [call] = calls
  if (call?.to === undefined) throw swapError('swap/refused', { reason: 'the quote contains no transaction' })
  const { to, value, data, gas } = call
  const sent = await sendTracked(latchkey, { to, value, data, gas }, { chainId, from: account })
  return () => followTransaction(latchkey, { sent, ...followed })
}

type Followed = { chainId: SwapQuote['request']['chainId']; from: SwapQuote['request']['account']; what: Purpose }

/**
 * A batch has no hash before it is executed: until then it is tracked by its id. Its last transaction has the outcome.
 */
async function followBatch(latchkey: Latchkey, id: string, followed: Followed): Promise<Outcome> {
  const status = await followCalls(latchkey, { id, ...followed })
  const hash = status?.receipts.at(-1)?.hash
  if (hash !== undefined) return followTransaction(latchkey, { sent: { hash }, ...followed })
  if (status?.status === 'failed') return { status: 'replaced', hash: id, by: id, how: 'cancelled' }
  // The wallet may still execute it.
  return { status: 'unknown', hash: id }
}

function purposeOf({ request: { from, to }, fromAmount }: SwapQuote): Purpose {
  return { kind: 'swap', amount: formatAmount(fromAmount, from.decimals), symbol: from.symbol, to: to.symbol }
}
