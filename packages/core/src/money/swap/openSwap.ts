import { LatchkeyError, isLatchkeyError, type ChainId } from '@latchkey/protocol'
import { getBalance } from '../../actions/getBalance.ts'
import { getTokens } from '../../actions/getTokens.ts'
import { parseAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../latchkey.ts'
import type { ViewName } from '../../modal/views.ts'
import { getAccount } from '../../state/wallet.ts'
import { learnServed, supports } from '../../supports.ts'
import { askPrices, askTokens } from './exchange.ts'
import { closedSwap, deskOf, nativeToken, tokenOf, type SwapSide, type SwapState, type SwapToken } from './state.ts'
import { swapError } from './swapError.ts'

/** The views that swapping happens in: leaving them is leaving it. */
const swapViews: readonly ViewName[] = ['Swap', 'SwapSelectToken', 'SwapPreview']

export type SwapBeginning = {
  /** The token to give, by its CAIP-10 id; the network's native currency when left out. */
  from?: string
  /** The token to get. */
  to?: string
  amount?: string
}

/**
 * Begins a swap on the network that the account is on: reads what can be swapped, and what there is of it. What was
 * begun before is forgotten. Leaving the views of it, another account and another network end it.
 *
 * @throws never: the store says `failed`, with the error.
 * @example await openSwap(latchkey, { amount: '1.5' })
 */
export async function openSwap(latchkey: Latchkey, beginning: SwapBeginning = {}): Promise<void> {
  closeSwap(latchkey)
  const { store, stops } = deskOf(latchkey)
  const account = getAccount(latchkey)
  if (account.status !== 'connected') {
    const error = new LatchkeyError('connection/not-connected', {})
    return store.setState({ ...closedSwap, status: 'failed', error }, true)
  }
  const { caipNetworkId: chainId } = account.network
  store.setState({ ...closedSwap, status: 'loading', account: account.account, chainId }, true)
  stops.push(followAccount(latchkey), followModal(latchkey))
  await fill(latchkey, beginning)
}

/**
 * Ends a swap and forgets all of it. What a wallet was asked goes on, and what was sent is followed.
 */
export function closeSwap(latchkey: Latchkey): void {
  const desk = deskOf(latchkey)
  desk.turn += 1
  desk.asking?.abort()
  desk.stopWaiting()
  for (const stop of desk.stops.splice(0)) stop()
  desk.store.setState(closedSwap, true)
}

async function fill(latchkey: Latchkey, { from, to, amount = '' }: SwapBeginning): Promise<void> {
  const { store, turn } = deskOf(latchkey)
  const { chainId } = store.getState()
  if (chainId === undefined) return
  const isLeft = (): boolean => deskOf(latchkey).turn !== turn
  try {
    const tokens = await readTokens(latchkey, chainId)
    if (isLeft()) return
    const opened: SwapState = { ...store.getState(), status: 'open', tokens, amount }
    const native = nativeToken(opened) ?? tokens[0]
    store.setState({ ...opened, from: tokenOf(opened, from)?.id ?? native?.id, to: tokenOf(opened, to)?.id }, true)
  } catch (error) {
    if (isLeft()) return
    const told = isLatchkeyError(error) ? error : swapError('swap/quote-failed', { reason: 'no list of tokens' })
    return store.setState({ status: 'failed', error: told })
  }
  await readHoldings(latchkey)
}

async function readTokens(latchkey: Latchkey, chainId: ChainId): Promise<readonly SwapToken[]> {
  const network = latchkey.networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const unsupported = swapError('swap/unsupported', { network: network?.name ?? chainId })
  if (latchkey.settings.server === undefined) throw unsupported
  // A server that does not say which chains it swaps on says it by its tokens.
  await learnServed(latchkey).catch(() => {})
  if (!supports(latchkey, 'swaps', network)) throw unsupported
  return askTokens(latchkey, chainId)
}

/**
 * Reads what the account holds, and what it is worth. What cannot be read is unknown; nothing fails by it.
 */
async function readHoldings(latchkey: Latchkey): Promise<void> {
  const { store, turn } = deskOf(latchkey)
  const [native, held] = await Promise.all([
    getBalance(latchkey).catch(() => undefined),
    getTokens(latchkey).catch(() => []),
  ])
  if (deskOf(latchkey).turn !== turn) return
  const state = store.getState()
  const tokens = state.tokens.map((token): SwapToken => {
    const entry = held.find(
      ({ chainId, address }) => chainId === state.chainId && isSameAddress(address, token.address),
    )
    const price = entry !== undefined && entry.price > 0 ? entry.price : token.price
    const counted = entry === undefined ? undefined : parseAmount(entry.quantity.numeric, token.decimals)
    const balance = token.address === undefined ? (native?.value ?? counted) : counted
    return { ...token, ...(balance !== undefined && { balance }), ...(price !== undefined && { price }) }
  })
  store.setState({ tokens })
}

/** A token's address is given as a CAIP-10 id by the server, and plainly by ourselves. */
function isSameAddress(id: string | undefined, address: string | undefined): boolean {
  if (id === undefined || address === undefined) return id === address
  return id.slice(id.lastIndexOf(':') + 1).toLowerCase() === address.toLowerCase()
}

/**
 * Reads of one token how much there is of it, from the chain, and what it is worth.
 */
export async function readToken(latchkey: Latchkey, side: SwapSide): Promise<void> {
  const { store, turn } = deskOf(latchkey)
  const token = tokenOf(store.getState(), store.getState()[side])
  if (token === undefined) return
  const [balance, price] = await Promise.all([
    readBalance(latchkey, token).catch(() => undefined),
    token.price ??
      askPrices(latchkey, [token.id]).then(
        (prices) => prices.get(token.id.toLowerCase()),
        () => undefined,
      ),
  ])
  if (deskOf(latchkey).turn !== turn) return
  const tokens = store
    .getState()
    .tokens.map((each): SwapToken =>
      each.id === token.id
        ? { ...each, ...(balance !== undefined && { balance }), ...(price !== undefined && { price }) }
        : each,
    )
  store.setState({ tokens })
}

/** What the account holds of a token, from the chain itself; undefined where nobody can ask it. */
export async function readBalance(latchkey: Latchkey, token: SwapToken): Promise<bigint | undefined> {
  const account = getAccount(latchkey)
  if (account.status !== 'connected') return undefined
  if (token.address === undefined) return (await getBalance(latchkey, { fresh: true })).value
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === account.network.chainNamespace)
  const transfers = await adapter?.transfers?.()
  const { address, symbol, decimals } = token
  return transfers?.getBalance(account.network, account.address, { address, symbol, decimals })
}

/** Another account or another network is another swap. */
function followAccount(latchkey: Latchkey): () => void {
  const { store } = deskOf(latchkey)
  return latchkey.wallet.subscribe(() => {
    const { account, chainId } = store.getState()
    const now = getAccount(latchkey)
    if (now.status === 'connected' && now.account === account && now.network.caipNetworkId === chainId) return
    if (now.status === 'connected') void openSwap(latchkey)
    else closeSwap(latchkey)
  })
}

/** Who leaves the views of swapping begins anew the next time. Without a modal it is the app that closes it. */
function followModal(latchkey: Latchkey): () => void {
  let wasShown = isShown(latchkey)
  return latchkey.modal.subscribe(() => {
    const shown = isShown(latchkey)
    if (wasShown && !shown) closeSwap(latchkey)
    wasShown = shown
  })
}

/** Whether the modal shows swapping, or something that was opened from there. */
export function isShown({ modal }: Latchkey): boolean {
  const state = modal.getState()
  return state.open && state.history.some(({ view }) => swapViews.includes(view))
}
