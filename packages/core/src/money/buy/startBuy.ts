import { parseAccountId } from '@latchkey/protocol'
import { ask, serverUrl } from '../../api/ask.ts'
import type { Latchkey } from '../../latchkey.ts'
import { readPage } from './answers.ts'
import { buyError } from './buyError.ts'
import { chosenIn, exactAmount, methodFor } from './buyProblem.ts'
import { rememberPurchase } from './purchases.ts'
import { deskOf, type BuyState, type BuyWindow } from './state.ts'
import { openBuyWindow } from './buyWindow.ts'

export type StartBuyOptions = {
  /** What the new window says until the provider's page comes. */
  waiting?: string
  /** Opens the window; a popup when left out. */
  openWindow?(waiting: string): BuyWindow | undefined
}

/**
 * Begins the purchase that was chosen: opens a window in the very click, has the provider make a page, and shows it there.
 * However often it is called, one page is made. A browser that keeps the window from opening leaves the page's address in
 * the store, as a link.
 *
 * @throws never: the store says `failed`, with the error; nothing was paid then.
 * @example button.onclick = () => void startBuy(latchkey)
 */
export async function startBuy(
  latchkey: Latchkey,
  { waiting = '', openWindow = openBuyWindow }: StartBuyOptions = {},
): Promise<void> {
  const desk = deskOf(latchkey)
  const state = desk.store.getState()
  const { provider } = chosenIn(state)
  const body = questionOf(state)
  if (provider === undefined || body === undefined || state.order.status === 'starting') return
  const { account, chainId } = state
  if (account === undefined || chainId === undefined) return
  const window = openWindow(waiting)
  desk.store.setState({ order: { status: 'starting', provider } })
  const { turn } = desk
  try {
    const answer = await ask(latchkey, serverUrl(latchkey, '/v1/generators/onrampurl'), undefined, body)
    const { url, id } = readPage(answer, latchkey.settings.server)
    rememberPurchase(latchkey, account, id)
    // Who went to another account meanwhile buys nothing for this one.
    if (desk.turn !== turn) return window?.close()
    window?.go(url)
    desk.window = window
    const sight = window === undefined ? ('blocked' as const) : ('open' as const)
    const standing = { standing: 'waiting', overdue: false, unreachable: false } as const
    desk.store.setState({ order: { status: 'begun', provider, id, url, window: sight, ...standing, account, chainId } })
  } catch (cause) {
    window?.close()
    if (desk.turn !== turn) return
    const error = buyError('buy/no-page', { provider: provider.name }, { cause })
    desk.store.setState({ order: { status: 'failed', provider, error } })
  }
}

/** Forgets the purchase on show, so that another one can be begun with the same choice. */
export function buyAgain(latchkey: Latchkey): void {
  const desk = deskOf(latchkey)
  desk.window = undefined
  desk.store.setState({ order: { status: 'none' } })
}

function questionOf(state: BuyState): object | undefined {
  const { provider, payment, purchase } = chosenIn(state)
  const { account, amount } = state
  if (account === undefined || provider === undefined || payment === undefined || purchase === undefined) {
    return undefined
  }
  if (methodFor(state) === undefined) return undefined
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
  }
}
