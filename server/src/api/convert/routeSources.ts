import { parseChainId } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { knownExchanges } from './knownExchanges.ts'
import { createPoolRoutes } from './pools/poolRoutes.ts'
import { createZeroEx } from './providers/zeroEx.ts'
import type { RouteSource } from './routeSource.ts'

/** The route sources of all chains. */
export type RouteSources = {
  /** Gets the source of a chain, or `undefined` if the chain has no swaps. */
  of(chain: Chain): RouteSource | undefined
}

/** Creates the lookup of route sources, which are created on first use. */
export function createRouteSources({ pools, clock }: { pools: EndpointPools; clock: Clock }): RouteSources {
  const sources = new Map<string, RouteSource | undefined>()

  function make(chain: Chain): RouteSource | undefined {
    const { caipNetworkId, exchange = knownExchanges[caipNetworkId], swapProvider } = chain
    const { namespace, reference } = parseChainId(caipNetworkId)
    if (namespace !== 'eip155') return undefined
    // A chain has one spender, so a request for an allowance need not name it.
    if (swapProvider !== undefined) return createZeroEx({ provider: swapProvider, chainId: reference, clock })
    if (exchange === undefined || exchange === false) return undefined
    return createPoolRoutes({ exchange, pool: pools.get(chain), clock })
  }

  return {
    of(chain) {
      const { caipNetworkId } = chain
      if (!sources.has(caipNetworkId)) sources.set(caipNetworkId, make(chain))
      return sources.get(caipNetworkId)
    },
  }
}
