import type { Hex } from 'viem'
import type { LocalToken } from '../evm/deploy.ts'
import type { LocalExchange } from './localExchange.ts'

/** The exchange of a chain in a server's configuration. */
export type ExchangeConfig = {
  wrappedNative: Hex
  router: Hex
  v2: { factory: Hex }
  v3: { factory: Hex; quoter: Hex }
  /** Intermediate tokens of routes, in addition to the wrapped native currency. */
  between: readonly Hex[]
}

/** Creates the server configuration for the exchange of a local chain. */
export function exchangeConfig({
  exchange: { wrappedNative, router, v2, v3 },
  tokens,
}: {
  exchange: LocalExchange
  tokens: readonly LocalToken[]
}): ExchangeConfig {
  const between = tokens.filter(({ symbol }) => symbol === 'LUSD').map(({ address }) => address)
  return { wrappedNative, router, v2: { factory: v2.factory }, v3: { factory: v3.factory, quoter: v3.quoter }, between }
}
