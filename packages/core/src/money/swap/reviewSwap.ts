import { getCapabilities } from '../../actions/walletCalls.ts'
import { pushView } from '../../actions/navigation.ts'
import type { Latchkey } from '../../latchkey.ts'
import { checkedApproval, checkedSwap } from './checks.ts'
import { askQuote } from './exchange.ts'
import { askAllowance, buildApproval, buildSwap } from './transactions.ts'
import { minimumOf } from './figures.ts'
import { asError, stopAsking } from './quoting.ts'
import { deskOf, type SwapOrder, type SwapQuote, type SwapWay, type SwapCall } from './state.ts'
import { knownQuote, swapProblem } from './swapProblem.ts'
import { swapError } from './swapError.ts'

/**
 * Goes on to the preview, where it is prepared what the wallet will be asked for: whether the exchange may take the token
 * already is looked up, and the transactions are built and checked. Does nothing while something is missing; while a
 * wallet is asked, that is what is shown.
 *
 * @throws never: the order says `failed`, with the error.
 */
export async function reviewSwap(latchkey: Latchkey): Promise<void> {
  const { store } = deskOf(latchkey)
  const state = store.getState()
  const agreed = knownQuote(state)
  const isUnderWay = state.order.status === 'asking' || state.order.status === 'approving'
  if (!isUnderWay && (agreed === undefined || swapProblem(latchkey, state) !== undefined)) return
  pushView(latchkey, { view: 'SwapPreview', params: {} })
  if (isUnderWay || agreed === undefined) return
  stopAsking(latchkey)
  store.setState({ quote: { status: 'ready', quote: agreed }, order: { status: 'checking', agreed } })
  await prepareOrder(latchkey, agreed)
}

/**
 * Prepares what the wallet will be asked for once more, at the present price. What is on show stays until then.
 *
 * @throws never
 */
export async function refreshOrder(latchkey: Latchkey): Promise<void> {
  const { store, turn } = deskOf(latchkey)
  const before = store.getState().order
  // What the wallet is asked for is not changed behind its back.
  if (before.status !== 'ready' && before.status !== 'failed') return
  if (before.status === 'failed') store.setState({ order: { status: 'checking', agreed: before.agreed } })
  const shown = store.getState().order
  const isLeft = (): boolean => deskOf(latchkey).turn !== turn || store.getState().order !== shown
  try {
    const { question } = before.agreed
    const fresh = await askQuote(latchkey, question, new AbortController().signal)
    if (isLeft()) return
    store.setState({ quote: { status: 'ready', quote: fresh } })
    const moved = fresh.toAmount < minimumOf(before.agreed.toAmount, store.getState().slippage)
    await prepareOrder(latchkey, fresh, moved ? swapError('swap/price-moved', {}) : undefined)
  } catch (error) {
    if (!isLeft()) store.setState({ order: { status: 'failed', agreed: before.agreed, error: asError(error) } })
  }
}

/**
 * Builds and checks what the wallet is to be asked for.
 *
 * @param note what the visitor should know when it is ready
 */
export async function prepareOrder(
  latchkey: Latchkey,
  agreed: SwapQuote,
  note?: (SwapOrder & { status: 'ready' })['error'],
): Promise<void> {
  const { store, turn } = deskOf(latchkey)
  const { slippage, order: shown } = store.getState()
  const isLeft = (): boolean => deskOf(latchkey).turn !== turn || store.getState().order !== shown
  try {
    const { way, calls } = await planCalls(latchkey, agreed, slippage)
    if (isLeft()) return
    const minimum = minimumOf(agreed.toAmount, slippage)
    const error = note === undefined ? {} : { error: note }
    store.setState({ order: { status: 'ready', way, agreed, minimum, calls, ...error } })
  } catch (error) {
    if (!isLeft()) store.setState({ order: { status: 'failed', agreed, error: asError(error) } })
  }
}

type Plan = { way: SwapWay; calls: readonly SwapCall[] }

async function planCalls(latchkey: Latchkey, agreed: SwapQuote, slippage: number): Promise<Plan> {
  const { from, amount } = agreed.question
  const isAllowed = from.address === undefined || (await askAllowance(latchkey, agreed)) >= amount
  if (isAllowed) {
    return { way: 'swap', calls: [checkedSwap(await buildSwap(latchkey, agreed, slippage, true), agreed, slippage)] }
  }
  const approval = checkedApproval(await buildApproval(latchkey, agreed), agreed)
  if (!(await takesBatches(latchkey, agreed))) return { way: 'approve', calls: [approval] }
  // A batch is tried by the wallet as a whole; its calls name no gas (EIP-5792).
  const built = { ...(await buildSwap(latchkey, agreed, slippage, false)), gas: undefined }
  return { way: 'batch', calls: [approval, checkedSwap(built, agreed, slippage)] }
}

/** Whether the wallet carries several calls out in one consent, all of them or none (EIP-5792). */
async function takesBatches(latchkey: Latchkey, { question: { chainId } }: SwapQuote): Promise<boolean> {
  const capabilities = await getCapabilities(latchkey, { chainId }).catch(() => undefined)
  const atomic = capabilities?.[chainId]?.['atomic']
  return typeof atomic === 'object' && atomic !== null && 'status' in atomic && atomic.status === 'supported'
}
