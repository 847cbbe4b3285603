import { isLatchkeyError, type ChainId, connectionError } from '@latchkey/protocol'
import { getBalance } from '../../account/getBalance.ts'
import { getTokens } from '../../account/getTokens.ts'
import { parseAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { accountStateOf } from '../../state/getAccount.ts'
import { loadSupportedChains, supports } from '../../network/supports.ts'
import { customTokens, type CustomToken } from '../tokens/customTokens.ts'
import { addCustomTokens, listCustomTokens } from '../tokens/listCustomTokens.ts'
import { fetchPrices, fetchSwapTokens, type SwapMarket } from './fetchSwapQuote.ts'
import {
  closedSwap,
  swapSessionOf,
  nativeToken,
  tokenOf,
  type SwapSide,
  type SwapState,
  type SwapToken,
} from './state.ts'
import { swapError } from './swapError.ts'

export type OpenSwapOptions = {
  /** The token to give, by its CAIP-10 id. Defaults to the network's native currency. */
  from?: string
  /** The token to receive. */
  to?: string
  amount?: string
}

/**
 * Opens the swap form for the current network: loads the tokens and balances. It replaces an earlier swap. `closeSwap`,
 * another account and another network end it.
 *
 * @throws never; the state becomes `failed` with the error
 * @example await openSwap(latchkey, { amount: '1.5' })
 */
export async function openSwap(latchkey: Latchkey, options: OpenSwapOptions = {}): Promise<void> {
  closeSwap(latchkey)
  const { store, stops } = swapSessionOf(latchkey)
  const account = accountStateOf(latchkey)
  if (account.status !== 'connected') {
    const error = connectionError('connection/not-connected', {})
    return store.setState({ ...closedSwap, status: 'failed', error }, true)
  }
  const { caipNetworkId: chainId } = account.network
  store.setState({ ...closedSwap, status: 'loading', account: account.account, chainId }, true)
  stops.push(
    followAccount(latchkey),
    // A token is offered as soon as it is imported.
    customTokens(latchkey).subscribe((imported) => {
      const { tokens } = store.getState()
      store.setState({ tokens: withCustomTokens(tokens, imported, chainId) })
    }),
  )
  await fill(latchkey, options)
}

/**
 * Closes the swap form and resets it. A pending wallet request continues, and sent transactions are still followed.
 *
 * @example closeSwap(latchkey)
 */
export function closeSwap(latchkey: Latchkey): void {
  const session = swapSessionOf(latchkey)
  session.generation += 1
  session.asking?.abort()
  session.stopWaiting()
  for (const stop of session.stops.splice(0)) stop()
  session.store.setState(closedSwap, true)
}

async function fill(latchkey: Latchkey, { from, to, amount = '' }: OpenSwapOptions): Promise<void> {
  const { store, generation } = swapSessionOf(latchkey)
  const { chainId } = store.getState()
  if (chainId === undefined) return
  const isLeft = (): boolean => swapSessionOf(latchkey).generation !== generation
  try {
    const { tokens: listed, quotesOutput } = await readMarket(latchkey, chainId)
    const tokens = withCustomTokens(listed, customTokens(latchkey).getState(), chainId)
    if (isLeft()) return
    const opened: SwapState = { ...store.getState(), status: 'open', tokens, quotesOutput, amount }
    const native = nativeToken(opened) ?? tokens[0]
    store.setState({ ...opened, from: tokenOf(opened, from)?.id ?? native?.id, to: tokenOf(opened, to)?.id }, true)
  } catch (error) {
    if (isLeft()) return
    const failure = isLatchkeyError(error) ? error : swapError('swap/quote-failed', { reason: 'no list of tokens' })
    return store.setState({ status: 'failed', error: failure })
  }
  await readHoldings(latchkey)
}

async function readMarket(latchkey: Latchkey, chainId: ChainId): Promise<SwapMarket> {
  const network = latchkey.networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const unsupported = swapError('swap/unsupported', { network: network?.name ?? chainId })
  if (latchkey.internal.settings.server === undefined) throw unsupported
  // If the server does not list its swap chains, its token list decides.
  await loadSupportedChains(latchkey).catch(() => {})
  if (!supports(latchkey, 'swaps', network)) throw unsupported
  return fetchSwapTokens(latchkey, chainId)
}

/** Adds the imported tokens of the network. The exchange may have no route for them. */
function withCustomTokens(
  tokens: readonly SwapToken[],
  imported: readonly CustomToken[],
  chainId: ChainId,
): readonly SwapToken[] {
  const others = imported.filter(({ address }) => !tokens.some(({ id }) => isSameAddress(id, address)))
  return [...tokens, ...others.map((token): SwapToken => ({ ...token, id: `${chainId}:${token.address}` }))]
}

/** Loads the balances and prices of the account. Values that can't be loaded stay unknown. Never rejects. */
async function readHoldings(latchkey: Latchkey): Promise<void> {
  const { store, generation } = swapSessionOf(latchkey)
  const [native, served, imported] = await Promise.all([
    getBalance(latchkey).catch(() => undefined),
    getTokens(latchkey).catch(() => []),
    listCustomTokens(latchkey).catch(() => []),
  ])
  if (swapSessionOf(latchkey).generation !== generation) return
  const held = addCustomTokens(served, imported)
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

/** True if two ids have the same plain address. The server sends CAIP-10 ids. */
function isSameAddress(id: string | undefined, address: string | undefined): boolean {
  if (id === undefined || address === undefined) return id === address
  return id.slice(id.lastIndexOf(':') + 1).toLowerCase() === address.toLowerCase()
}

/** Loads the balance of one token from the chain, and its price. */
export async function readToken(latchkey: Latchkey, side: SwapSide): Promise<void> {
  const { store, generation } = swapSessionOf(latchkey)
  const token = tokenOf(store.getState(), store.getState()[side])
  if (token === undefined) return
  const [balance, price] = await Promise.all([
    readBalance(latchkey, token).catch(() => undefined),
    token.price ??
      fetchPrices(latchkey, [token.id]).then(
        (prices) => prices.get(token.id.toLowerCase()),
        () => undefined,
      ),
  ])
  if (swapSessionOf(latchkey).generation !== generation) return
  const tokens = store
    .getState()
    .tokens.map((each): SwapToken =>
      each.id === token.id
        ? { ...each, ...(balance !== undefined && { balance }), ...(price !== undefined && { price }) }
        : each,
    )
  store.setState({ tokens })
}

/** Returns the balance of a token from the chain, or undefined if it can't be read. */
export async function readBalance(latchkey: Latchkey, token: SwapToken): Promise<bigint | undefined> {
  const account = accountStateOf(latchkey)
  if (account.status !== 'connected') return undefined
  if (token.address === undefined) return (await getBalance(latchkey, { fresh: true })).value
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === account.network.chainNamespace)
  const transfers = await adapter?.transfers?.()
  const { address, symbol, decimals } = token
  return transfers?.getBalance(account.network, account.address, { address, symbol, decimals })
}

/** Resets the swap when the account or the network changes. */
function followAccount(latchkey: Latchkey): () => void {
  const { store } = swapSessionOf(latchkey)
  return latchkey.wallet.subscribe(() => {
    const { account, chainId } = store.getState()
    const now = accountStateOf(latchkey)
    if (now.status === 'connected' && now.account === account && now.network.caipNetworkId === chainId) return
    if (now.status === 'connected') void openSwap(latchkey)
    else closeSwap(latchkey)
  })
}
