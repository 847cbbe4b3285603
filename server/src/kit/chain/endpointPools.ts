import { Registry } from 'prom-client'
import type { Clock } from '../runtime/clock.ts'
import type { UpstreamBudgets } from './budgets/createUpstreamBudgets.ts'
import type { Chain } from './chains.ts'
import { createUpstreamMetrics, type UpstreamMetrics } from './endpoints/upstreamMetrics.ts'
import { createEndpointPool, type EndpointPool } from './endpointPool.ts'

/** The endpoint pools of all chains, shared by all parts of the server. */
export type EndpointPools = { get(chain: Chain): EndpointPool }

export type EndpointPoolsOptions = {
  /** Endpoints have no budget if omitted. */
  budgets?: UpstreamBudgets
  metrics?: UpstreamMetrics
}

/** Creates the pool of each chain on first use. */
export function createEndpointPools(
  clock: Clock,
  { budgets, metrics = createUpstreamMetrics(new Registry()) }: EndpointPoolsOptions = {},
): EndpointPools {
  const pools = new Map<string, EndpointPool>()
  return {
    get({ caipNetworkId: chain, rpcUrls }) {
      const existing = pools.get(chain)
      if (existing !== undefined) return existing
      const pool = createEndpointPool(rpcUrls, clock, { chain, metrics, getBudget: (url) => budgets?.get(chain, url) })
      pools.set(chain, pool)
      return pool
    },
  }
}
