import { parseAccountId } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { parseBuyPage } from './parseBuyQuote.ts'
import { buyError } from './buyError.ts'
import { getBuySelection, exactAmount, getPaymentMethod } from './buyProblem.ts'
import { resetBuy } from './openBuy.ts'
import { rememberPurchase } from './purchases.ts'
import { storeStartedPurchase } from './startedPurchases.ts'
import { holdReport } from '../pending/holdReport.ts'
import { ledgerOf } from '../pending/pendingTransactions.ts'
import { subjectOf } from '../send/state.ts'
import { buySessionOf, type BuyState, type BuyWindow } from './state.ts'
import { openBuyWindow } from './buyWindow.ts'

export type StartBuyOptions = {
  /** The text of the new window until the provider's page is loaded. */
  waiting?: string
  /** Opens the window. Defaults to a popup. */
  openWindow?(waiting: string): BuyWindow | undefined
}

/**
 * Starts the purchase: opens a window during the click, requests a page from the provider, and shows it there. Repeated
 * calls create a single page. If the browser blocks the window, the state has the page's URL to show as a link.
 *
 * @throws never; the state becomes `failed` with the error, and nothing was paid
 * @example button.onclick = () => void startBuy(latchkey)
 */
export async function startBuy(
  latchkey: Latchkey,
  { waiting = '', openWindow = openBuyWindow }: StartBuyOptions = {},
): Promise<void> {
  const session = buySessionOf(latchkey)
  const state = session.store.getState()
  const { provider } = getBuySelection(state)
  const body = toPurchaseRequest(state)
  if (provider === undefined || body === undefined || state.order.status === 'starting') return
  const { account, chainId } = state
  if (account === undefined || chainId === undefined || subjectOf(latchkey) !== account) return
  const window = openWindow(waiting)
  session.store.setState({ order: { status: 'starting', provider } })
  const { generation } = session
  const hasUserLeft = (): boolean => session.generation !== generation || subjectOf(latchkey) !== account
  try {
    const response = await fetchJson(latchkey, serverUrl(latchkey, '/v1/generators/onrampurl'), undefined, body)
    const { url, id } = parseBuyPage(response, latchkey.internal.settings.server)
    rememberPurchase(latchkey, account, id)
    const started = { account, chainId, since: latchkey.internal.clock.now() }
    session.started.set(id, started)
    storeStartedPurchase(latchkey, id, started)
    holdReport(ledgerOf(latchkey), { chainId, hash: id })
    // The user switched to another account, so this purchase must not continue.
    if (hasUserLeft()) return leaveStartedBuy(latchkey, window, generation)
    window?.go(url)
    session.window = window
    const sight = window === undefined ? ('blocked' as const) : ('open' as const)
    const progress = { purchaseStatus: 'waiting', overdue: false, unreachable: false } as const
    session.store.setState({
      order: { status: 'begun', provider, id, url, window: sight, ...progress, account, chainId },
    })
  } catch (cause) {
    if (hasUserLeft()) return leaveStartedBuy(latchkey, window, generation)
    window?.close()
    const error = buyError('buy/no-page', { provider: provider.name }, { cause })
    session.store.setState({ order: { status: 'failed', provider, error } })
  }
}

/** Closes the window of a purchase whose user left, and its form unless another one was opened. */
function leaveStartedBuy(latchkey: Latchkey, window: BuyWindow | undefined, generation: number): void {
  window?.close()
  if (buySessionOf(latchkey).generation === generation) resetBuy(latchkey)
}

/** Resets the current purchase, so that the user can start another one with the same choices. */
export function buyAgain(latchkey: Latchkey): void {
  const session = buySessionOf(latchkey)
  session.window = undefined
  session.store.setState({ order: { status: 'none' } })
}

function toPurchaseRequest(state: BuyState): object | undefined {
  const { provider, payment, purchase } = getBuySelection(state)
  const { account, amount } = state
  if (account === undefined || provider === undefined || payment === undefined || purchase === undefined) {
    return undefined
  }
  const paymentMethod = getPaymentMethod(state)
  if (paymentMethod === undefined) return undefined
  const { address } = parseAccountId(account)
  return {
    provider: provider.id,
    destinationWallets: [{ address, blockchains: [purchase.network], assets: [purchase.id] }],
    partnerUserId: address,
    defaultNetwork: purchase.network,
    defaultExperience: 'buy',
    presetFiatAmount: exactAmount(amount),
    purchaseCurrency: purchase.id,
    paymentCurrency: payment.id,
    // The page has to be for the method that the quote was for.
    paymentMethod,
  }
}
