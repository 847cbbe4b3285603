import { getField } from '../../runtime/getField.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { RateLimiter, RateLimiters } from '../../limits/rateLimiters.ts'
import type { Rate, TokenResult } from '../../limits/tokenBucket.ts'
import type { Chain } from '../chains.ts'
import { hasEndpoint, type RpcProvider } from './rpcProvider.ts'

/** The reason that a request is not sent: the provider has no units left, or the chain has used its share of them. */
export type BudgetRefusal = 'budget' | 'chain-quota'

/** Units that were not available. `retryAfter` is in whole seconds. */
export type RefusedUnits = { ok: false; retryAfter: number; reason: BudgetRefusal }

/** The budget of one endpoint, for the requests of one chain. */
export type EndpointBudget = {
  readonly provider: string
  /** The units of a request, or of a batch. */
  getCost(body: unknown): number
  /** The most requests of a batch that the budget of one second allows. */
  getBatchSize(requests: readonly unknown[]): number
  /** Gets the last refusal until the budget may have units again, so that other endpoints are used until then. */
  getRefusal(): RefusedUnits | undefined
  /** Takes units from the provider's budget and from the chain's share of it. */
  take(units: number): Promise<{ ok: true } | RefusedUnits>
}

/** The budgets of all providers. Processes share them wherever they share rate limits. */
export type UpstreamBudgets = {
  /** Gets the budget of an endpoint, or `undefined` if its provider has none. */
  get(chain: string, url: string): EndpointBudget | undefined
}

export type UpstreamBudgetsOptions = {
  providers: readonly RpcProvider[]
  chains: readonly Pick<Chain, 'caipNetworkId' | 'rpcUrls'>[]
  rateLimiters: RateLimiters
  clock: Clock
}

const daySeconds = 86_400
/** This part of a day's budget is available at once, the rest evenly over 24 hours, so that no 24 hours exceed it. */
const dayBurstShare = 0.25
/** The share of one chain if several chains share a provider. */
const defaultChainShare = 0.5
/** A refused endpoint is tried again after this time at the latest. */
const maxWaitSeconds = 60
/** All requests of a provider use one bucket. */
const sharedKey = 'all'

/**
 * Creates the budgets. Each one is a token bucket per provider and one per provider and chain, so that one chain cannot
 * use all units that others need.
 *
 * @example
 * const budgets = createUpstreamBudgets({ providers, chains, rateLimiters, clock })
 * const result = await budgets.get('eip155:1', url)?.take(26)
 */
export function createUpstreamBudgets(options: UpstreamBudgetsOptions): UpstreamBudgets {
  const { providers, chains } = options
  const opened = providers.map((provider) => {
    const sharers = chains.filter(({ rpcUrls }) => rpcUrls.some((url) => hasEndpoint(provider, url)))
    return { provider, open: openProvider(provider, sharers.length, options) }
  })
  return {
    get: (chain, url) => opened.find(({ provider }) => hasEndpoint(provider, url))?.open(chain),
  }
}

type Limit = { limiter: RateLimiter; key: string; reason: BudgetRefusal; burst: number }

/** Creates the limits of a provider once, and its budget for each chain. */
function openProvider(
  provider: RpcProvider,
  chains: number,
  { rateLimiters, clock }: UpstreamBudgetsOptions,
): (chain: string) => EndpointBudget {
  const share = provider.chainShare ?? (chains > 1 ? defaultChainShare : 1)
  const rates = toRates(provider)
  const limits = rates.flatMap(({ name, rate }) => {
    const create = (scope: string, scaled: Rate): RateLimiter =>
      rateLimiters.create(`upstream/${provider.name}/${name}${scope}`, scaled)
    const ofChain = { perSecond: rate.perSecond * share, burst: rate.burst * share }
    const whole = { limiter: create('', rate), burst: rate.burst, reason: 'budget' as const }
    if (share === 1) return [whole]
    return [{ limiter: create('/chain', ofChain), burst: ofChain.burst, reason: 'chain-quota' as const }, whole]
  })
  const budgets = new Map<string, EndpointBudget>()
  return (chain) => {
    const ofChain = limits.map((limit) => ({ ...limit, key: limit.reason === 'budget' ? sharedKey : chain }))
    const budget = budgets.get(chain) ?? createEndpointBudget(provider, ofChain, clock)
    budgets.set(chain, budget)
    return budget
  }
}

function toRates({ unitsPerSecond, unitsPerDay }: RpcProvider): readonly { name: string; rate: Rate }[] {
  const second = unitsPerSecond === undefined ? [] : [{ perSecond: unitsPerSecond, burst: unitsPerSecond }]
  const day =
    unitsPerDay === undefined
      ? []
      : [{ perSecond: (unitsPerDay * (1 - dayBurstShare)) / daySeconds, burst: unitsPerDay * dayBurstShare }]
  return [...second.map((rate) => ({ name: 'second', rate })), ...day.map((rate) => ({ name: 'day', rate }))]
}

function createEndpointBudget(provider: RpcProvider, limits: readonly Limit[], clock: Clock): EndpointBudget {
  let refused: { until: number; reason: BudgetRefusal } | undefined
  const smallestBurst = Math.min(...limits.map(({ burst }) => burst))
  const weigh = (request: unknown): number => getWeight(provider, getField(request, 'method'))

  return {
    provider: provider.name,
    getCost: (body) => {
      const requests: readonly unknown[] = Array.isArray(body) ? body : [body]
      return requests.reduce((sum: number, request) => sum + weigh(request), 0)
    },
    getBatchSize: (requests) => {
      const heaviest = Math.max(...requests.map(weigh))
      return heaviest === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(smallestBurst / heaviest))
    },
    getRefusal() {
      const milliseconds = (refused?.until ?? 0) - clock.now()
      if (refused === undefined || milliseconds <= 0) return undefined
      return { ok: false, retryAfter: Math.ceil(milliseconds / 1_000), reason: refused.reason }
    },
    async take(units) {
      // The share of the chain first, so that a chain above it takes nothing from the others.
      for (const limit of limits) {
        const result = await takeFrom(limit, units)
        if (result.ok) continue
        const retryAfter = Math.min(result.retryAfter, maxWaitSeconds)
        refused = { until: clock.now() + 1_000 * retryAfter, reason: limit.reason }
        return { ok: false, retryAfter, reason: limit.reason }
      }
      return { ok: true }
    },
  }
}

/** A request that costs more than the whole burst needs a full bucket. Otherwise it could never be sent. */
function takeFrom({ limiter, key, burst }: Limit, units: number): Promise<TokenResult> {
  return limiter.take(key, Math.min(units, burst))
}

function getWeight({ weights = {} }: RpcProvider, method: unknown): number {
  const weight = typeof method === 'string' && Object.hasOwn(weights, method) ? weights[method] : undefined
  return weight ?? weights['default'] ?? 1
}
