import { parseChainId, type TokenBalance } from '@latchkey/protocol'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../kit/chains.ts'
import { Problem } from '../../kit/problem.ts'
import { assetOf, type PriceSource } from '../prices/priceSource.ts'
import type { BalanceSource } from './balanceSource.ts'

/**
 * The chains of a family whose balances can be told, or the one that is asked for.
 *
 * @throws Problem 400 `chainId` when nobody can tell the balances of the chain.
 */
export function chosenChains(
  chains: readonly Chain[],
  sources: readonly BalanceSource[],
  namespace: string,
  chainId: string | undefined,
): readonly Chain[] {
  const readable = chains.filter(
    (chain) =>
      parseChainId(chain.caipNetworkId).namespace === namespace && sources.some((source) => source.covers(chain)),
  )
  if (chainId === undefined) return readable
  const chain = readable.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
  return [chain]
}

export type Reading = {
  log: FastifyBaseLogger
  sources: readonly BalanceSource[]
  /** Without it no price is known. */
  prices?: PriceSource
  currency: string
  /** Tokens whose balance has to be read now, by their chain. */
  forced?: ReadonlyMap<string, readonly string[]>
}

/**
 * What an address holds on chains, with what it is worth. A chain that is away takes only its own balances with it,
 * unless it is the only one.
 *
 * @throws Problem 503 `chainId` when no chain answers
 */
export async function readBalances(
  reading: Reading,
  chains: readonly Chain[],
  address: string,
): Promise<readonly TokenBalance[]> {
  const { log, sources, forced } = reading
  const answers = await Promise.allSettled(
    chains.map(async (chain) => {
      const also = forced?.get(chain.caipNetworkId)
      const source = sources.find((each) => each.covers(chain))
      const held = (await source?.balances(chain, address, { fresh: also !== undefined, also })) ?? []
      return withPrices(reading, chain, held)
    }),
  )
  const told = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const silent = chains.filter((_, index) => answers[index]?.status === 'rejected')
  if (silent.length > 0) log.warn({ chains: silent.map(({ caipNetworkId }) => caipNetworkId) }, 'no balances')
  if (told.length === 0 && chains.length > 0) throw new Problem(503, 'chainId', 'The chain does not answer.')
  return told.flat()
}

/** A price that nobody tells now takes no balance with it. */
async function withPrices(
  { log, prices, currency }: Reading,
  chain: Chain,
  held: readonly TokenBalance[],
): Promise<readonly TokenBalance[]> {
  if (prices === undefined) return held
  try {
    const known = await prices.prices(chain, held.map(assetOf), currency)
    return held.map((each) => {
      const price = known.get(assetOf(each))
      return price === undefined ? each : { ...each, price, value: Number(each.quantity.numeric) * price }
    })
  } catch (error) {
    log.warn({ chain: chain.caipNetworkId, reason: error instanceof Error ? error.message : '' }, 'no prices')
    return held
  }
}
