import type { Chain } from './chains.ts'
import type { Clock } from './clock.ts'
import { createEndpointPool, type EndpointPool } from './endpointPool.ts'

/** The endpoint pools of all chains: what one part of the server learns of an endpoint, all know. */
export type Pools = { of(chain: Chain): EndpointPool }

/** Makes a pool for each chain when it is first asked. */
export function createPools(clock: Clock): Pools {
  const pools = new Map<string, EndpointPool>()
  return {
    of({ caipNetworkId, rpcUrls }) {
      const pool = pools.get(caipNetworkId) ?? createEndpointPool(rpcUrls, clock)
      pools.set(caipNetworkId, pool)
      return pool
    },
  }
}
