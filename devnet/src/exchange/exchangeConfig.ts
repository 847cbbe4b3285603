import type { Hex } from 'viem'
import type { LocalToken } from '../deploy.ts'
import type { LocalExchange } from './deployExchange.ts'

/** An exchange as a server is told of it. */
export type ExchangeConfig = {
  wrappedNative: Hex
  router: Hex
  v2: { factory: Hex }
  v3: { factory: Hex; quoter: Hex }
  /** Tokens that routes may lead through, besides the wrapped native currency. */
  between: readonly Hex[]
}

/** Describes the exchange of a local chain for the chains of a server. */
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
