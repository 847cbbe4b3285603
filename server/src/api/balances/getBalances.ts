import { parseChainId, type TokenBalance } from '@latchkey/protocol'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../kit/chain/chains.ts'
import { isDatabaseBusy } from '../../kit/database/database.ts'
import { Problem } from '../../kit/http/problem.ts'
import { toPricedAsset, type PriceSource } from '../prices/priceSource.ts'
import type { TokenIcons } from '../../wallets/icons/tokenIcons.ts'
import type { BalanceSource } from './balanceSource.ts'
import { removeMarked, type SpamMarks } from '../spamReports/spamMarks.ts'
import { rankBalances } from './rankBalances.ts'

/**
 * Selects the chains of a namespace whose balances are available, or the requested one.
 *
 * @throws Problem 400 `chainId` if no source covers the requested chain
 */
export function selectChains(
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

export type BalancesRequest = {
  log: FastifyBaseLogger
  sources: readonly BalanceSource[]
  /** Without a source, balances have no prices. */
  prices?: PriceSource
  /** Without it, only tokens that the operator gave an icon have one. */
  tokenIcons?: TokenIcons
  currency: string
  /** Without it, no token counts as spam because of reports. */
  spamMarks?: SpamMarks
  /** Tokens whose balance must be read from the chain now, by chain. */
  forced?: ReadonlyMap<string, readonly string[]>
}

/**
 * Gets the balances of an address on several chains, with prices, the most valuable of each chain first. Chains that are not available are left out, unless
 * all are.
 *
 * @throws Problem 503 `chainId` if no chain is available; the error of the database if it is busy
 */
export async function getBalances(
  reading: BalancesRequest,
  chains: readonly Chain[],
  address: string,
): Promise<readonly TokenBalance[]> {
  const { log, sources, forced } = reading
  const isMarked = (await reading.spamMarks?.get()) ?? (() => false)
  const responses = await Promise.allSettled(
    chains.map(async (chain) => {
      const also = forced?.get(chain.caipNetworkId)
      const source = sources.find((each) => each.covers(chain))
      const held = (await source?.balances(chain, address, { fresh: also !== undefined, also })) ?? []
      const required = new Set(also?.map((token) => `${chain.caipNetworkId}:${token}`.toLowerCase()))
      const shown = removeMarked(held, isMarked, required)
      return rankBalances(await addPrices(reading, chain, shown), required)
    }),
  )
  const found = responses.flatMap((response) => (response.status === 'fulfilled' ? [response.value] : []))
  const silent = chains.filter((_, index) => responses[index]?.status === 'rejected')
  if (silent.length > 0) log.warn({ chains: silent.map(({ caipNetworkId }) => caipNetworkId) }, 'no balances')
  if (found.length === 0 && chains.length > 0) throw toProblem(responses)
  return found.flat().map((each) => addIcon(reading, each))
}

/** A busy database is not a fault of the chain, and a client should try again soon. */
function toProblem(responses: readonly PromiseSettledResult<unknown>[]): unknown {
  const reasons = responses.map((response): unknown => (response.status === 'rejected' ? response.reason : undefined))
  return reasons.find(isDatabaseBusy) ?? new Problem(503, 'chainId', 'The chain is not available.')
}

function addIcon({ tokenIcons }: BalancesRequest, balance: TokenBalance): TokenBalance {
  if (tokenIcons === undefined) return balance
  const address = balance.address?.slice(balance.chainId.length + 1)
  return { ...balance, iconUrl: tokenIcons.urlOf({ ...balance, address }) }
}

/** Adds prices. Balances without a known price are returned unchanged. */
async function addPrices(
  { log, prices, currency }: BalancesRequest,
  chain: Chain,
  held: readonly TokenBalance[],
): Promise<readonly TokenBalance[]> {
  if (prices === undefined) return held
  try {
    const known = await prices.prices(chain, held.map(toPricedAsset), currency)
    return held.map((each) => {
      const price = known.get(toPricedAsset(each))
      return price === undefined ? each : { ...each, price, value: Number(each.quantity.numeric) * price }
    })
  } catch (error) {
    log.warn({ chain: chain.caipNetworkId, reason: error instanceof Error ? error.message : '' }, 'no prices')
    return held
  }
}
