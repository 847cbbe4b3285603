import type { Chain } from './chains.ts'
import type { Clock } from '../runtime/clock.ts'
import { createEndpointPool, type EndpointPool } from './endpointPool.ts'

/** The endpoint pools of all chains, shared by all parts of the server. */
export type EndpointPools = { get(chain: Chain): EndpointPool }

/** Creates the pool of each chain on first use. */
export function createEndpointPools(clock: Clock): EndpointPools {
  const pools = new Map<string, EndpointPool>()
  return {
    get({ caipNetworkId, rpcUrls }) {
      const pool = pools.get(caipNetworkId) ?? createEndpointPool(rpcUrls, clock)
      pools.set(caipNetworkId, pool)
      return pool
    },
  }
}
