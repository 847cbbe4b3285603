import type { SwapSide, SwapState, SwapToken } from './state.ts'

/** Popular tokens, in display order. */
const suggested: readonly string[] = [
  'ETH',
  'USDC',
  'USDT',
  'WETH',
  'WBTC',
  'DAI',
  'POL',
  'ARB',
  'OP',
  'LINK',
  'UNI',
  'AAVE',
]
const mostSuggested = 8

/** The tokens to choose from. */
export type SwapTokenList = {
  /** The tokens of the account, most valuable first. */
  readonly held: readonly SwapToken[]
  /** Popular tokens; empty during a search. */
  readonly suggested: readonly SwapToken[]
  /** All tokens, sorted by symbol. */
  readonly all: readonly SwapToken[]
}

/**
 * Returns the tokens of the network, or those that a search finds by name, symbol or full address.
 *
 * @example listSwapTokens(swapState(latchkey).getState(), 'to', 'dollar').all
 */
export function listSwapTokens(state: SwapState, side: SwapSide, search: string = ''): SwapTokenList {
  const wanted = search.trim().toLowerCase()
  const found = state.tokens.filter(({ name, symbol, address }) =>
    wanted === '' ? true : `${name}\n${symbol}`.toLowerCase().includes(wanted) || address?.toLowerCase() === wanted,
  )
  const held = found.filter(({ balance = 0n }) => balance > 0n)
  const other = state[side === 'from' ? 'to' : 'from']
  return {
    held: held.toSorted((one, two) => getWorth(two) - getWorth(one) || bySymbol(one, two)),
    suggested:
      wanted === ''
        ? suggested
            .flatMap((symbol) => found.filter((token) => token.symbol === symbol && token.id !== other))
            .slice(0, mostSuggested)
        : [],
    all: found.toSorted(bySymbol),
  }
}

function getWorth({ balance = 0n, decimals, price = 0 }: SwapToken): number {
  return (Number(balance) / 10 ** decimals) * price
}

function bySymbol(one: SwapToken, two: SwapToken): number {
  return one.symbol.localeCompare(two.symbol) || one.id.localeCompare(two.id)
}
