import { sendTransaction } from '../../actions/askWallet.ts'
import { resetView } from '../../actions/navigation.ts'
import { showToast } from '../../actions/notices.ts'
import { sendCalls, waitForCalls } from '../../actions/walletCalls.ts'
import { displayAmount, formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../latchkey.ts'
import { followTransaction, type Purpose } from '../pending/index.ts'
import type { Outcome } from '../transfers.ts'
import { askQuote } from './exchange.ts'
import { closeSwap, isShown, readBalance } from './openSwap.ts'
import { asError } from './quoting.ts'
import { prepareOrder } from './reviewSwap.ts'
import { deskOf, type SwapOrder, type SwapQuote, type SwapToken } from './state.ts'
import { swapError } from './swapError.ts'

/** What is said of a swap after it was sent. */
export type SwapNotices = {
  /** @param from the amount that is given, with its symbol */
  swapping(from: string, to: string): string
  swapped(from: string, to: string): string
  reverted(reason: string): string
  cancelled: string
  /** Not found in time: it may still be mined. */
  unknown: string
  /** What leads to the transaction in a block explorer. */
  explorer: string
}

const english: SwapNotices = {
  swapping: (from, to) => `Swapping ${from} to ${to}`,
  swapped: (from, to) => `Swapped ${from} to ${to}`,
  reverted: (reason) => `The swap was reverted: ${reason}. Only the network fee is spent.`,
  cancelled: 'The swap was cancelled.',
  unknown: 'The swap was sent, and is not mined yet. Look it up before you swap again.',
  explorer: 'Look it up',
}

type Ready = SwapOrder & { status: 'ready' }

/**
 * Asks the wallet to swap, or to allow and swap in one consent. Just before that, price and balance are looked at again:
 * nothing is asked when the price left the slippage behind. However often it is called, the wallet is asked once. After
 * it was sent the form is empty, the account is on show, and a notice tells how it ended.
 *
 * @param say what the notices say; English when left out
 * @returns how it ended; undefined when nothing was sent, which the order gives the reason of
 * @throws never
 * @example const outcome = await swapNow(latchkey)
 */
export async function swapNow(latchkey: Latchkey, say: SwapNotices = english): Promise<Outcome | undefined> {
  const { store, turn } = deskOf(latchkey)
  const { order } = store.getState()
  if (order.status !== 'ready' || order.way === 'approve') return undefined
  const { way, agreed, minimum } = order
  const isLeft = (): boolean => deskOf(latchkey).turn !== turn
  store.setState({ order: { status: 'asking', way, agreed, minimum } })
  try {
    const worse = await findWorse(latchkey, order)
    // Whoever left before the wallet was asked did not want it any more.
    if (isLeft()) return undefined
    if (worse !== undefined) return await offerAgain(latchkey, worse)
    const follow = await hand(latchkey, order)
    if (!isLeft()) leave(latchkey)
    return await tell(latchkey, order, follow, say)
  } catch (error) {
    if (!isLeft()) store.setState({ order: { ...order, error: asError(error) } })
    return undefined
  }
}

/**
 * The present price, when it gives less than what was agreed upon.
 *
 * @throws LatchkeyError `swap/insufficient-balance`, and what asking throws.
 */
async function findWorse(latchkey: Latchkey, { agreed, minimum }: Ready): Promise<SwapQuote | undefined> {
  const { question } = agreed
  const { from, amount } = question
  const [fresh, balance] = await Promise.all([
    askQuote(latchkey, question, new AbortController().signal),
    readBalance(latchkey, from).catch(() => undefined),
  ])
  if (balance !== undefined && balance < amount) {
    throw swapError('swap/insufficient-balance', { symbol: from.symbol })
  }
  return fresh.toAmount < minimum ? fresh : undefined
}

/** Shows the new price, and asks again. */
async function offerAgain(latchkey: Latchkey, fresh: SwapQuote): Promise<undefined> {
  deskOf(latchkey).store.setState({
    quote: { status: 'ready', quote: fresh },
    order: { status: 'checking', agreed: fresh },
  })
  await prepareOrder(latchkey, fresh, swapError('swap/price-moved', {}))
}

/** Hands it to the wallet; resolves once it was sent, with what waits for its end. */
async function hand(latchkey: Latchkey, { way, agreed, calls }: Ready): Promise<() => Promise<Outcome>> {
  const { account, chainId } = agreed.question
  const what = purposeOf(agreed)
  const followed = { chainId, from: account, what }
  if (way === 'batch') {
    const { id } = await sendCalls(latchkey, { calls, atomic: true }, { chainId })
    return () => followBatch(latchkey, id, followed)
  }
  const [call] = calls
  if (call?.to === undefined) throw swapError('swap/refused', { reason: 'there is nothing to send' })
  const { to, value, data, gas } = call
  const hash = await sendTransaction(latchkey, { to, value, data, gas }, { chainId })
  return () => followTransaction(latchkey, { sent: { hash }, ...followed })
}

type Followed = { chainId: SwapQuote['question']['chainId']; from: SwapQuote['question']['account']; what: Purpose }

/** A batch has no hash before it is carried out; then its last transaction tells the rest. */
async function followBatch(latchkey: Latchkey, id: string, followed: Followed): Promise<Outcome> {
  try {
    const { status, receipts } = await waitForCalls(latchkey, id)
    const hash = receipts.at(-1)?.hash
    if (hash !== undefined) return await followTransaction(latchkey, { sent: { hash }, ...followed })
    if (status === 'failed') return { status: 'replaced', hash: id, by: id, how: 'cancelled' }
  } catch {
    // Nothing is known of it: it may still be carried out.
  }
  return { status: 'unknown', hash: id }
}

/** The form is empty again, and the account is on show where swapping was. */
function leave(latchkey: Latchkey): void {
  const wasShown = isShown(latchkey)
  closeSwap(latchkey)
  if (wasShown) resetView(latchkey, { view: 'Account', params: {} })
}

async function tell(
  latchkey: Latchkey,
  { agreed }: Ready,
  follow: () => Promise<Outcome>,
  say: SwapNotices,
): Promise<Outcome> {
  const { from, to, amount } = agreed.question
  const given = `${shown(amount, from)} ${from.symbol}`
  showToast(latchkey, say.swapping(given, to.symbol), { variant: 'loading' })
  const outcome = await follow()
  const error = { variant: 'error' } as const
  if (outcome.status === 'mined') showToast(latchkey, say.swapped(given, to.symbol))
  else if (outcome.status === 'reverted') showToast(latchkey, say.reverted(outcome.reason), error)
  else if (outcome.status === 'unknown') {
    showToast(latchkey, say.unknown, { ...error, autoClose: false, link: linkTo(latchkey, agreed, outcome.hash, say) })
  } else if (outcome.how === 'repriced') showToast(latchkey, say.swapped(given, to.symbol))
  else showToast(latchkey, say.cancelled, error)
  return outcome
}

/** Where the transaction is shown, as far as there is a block explorer. */
function linkTo(
  latchkey: Latchkey,
  { question: { chainId } }: SwapQuote,
  transaction: string,
  { explorer: label }: SwapNotices,
): { label: string; href: string } | undefined {
  const network = latchkey.networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const href = network === undefined ? undefined : adapter?.explorerUrl(network, { transaction })
  return href === undefined ? undefined : { label, href }
}

/** Three places, unless that would say zero of what is there. */
function shown(units: bigint, { decimals }: SwapToken): string {
  const short = displayAmount(units, decimals)
  return units > 0n && /^[0.,]+$/.test(short) ? formatAmount(units, decimals) : short
}

function purposeOf({ question: { from, to, amount } }: SwapQuote): Purpose {
  return { kind: 'swap', amount: formatAmount(amount, from.decimals), symbol: from.symbol, to: to.symbol }
}
