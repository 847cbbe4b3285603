import { parseChainId } from '@latchkey/protocol'
import type { Chain } from '../../kit/chains.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Pools } from '../../kit/pools.ts'
import { knownExchanges } from './knownExchanges.ts'
import { createPoolRoutes } from './pools/poolRoutes.ts'
import { createZeroEx } from './providers/zeroEx.ts'
import type { RouteSource } from './routeSource.ts'

/** The route sources of all chains. */
export type RouteSources = {
  /** Undefined where nothing swaps. */
  of(chain: Chain): RouteSource | undefined
}

/** Makes the source of a chain when it is first asked. */
export function createRouteSources({ pools, clock }: { pools: Pools; clock: Clock }): RouteSources {
  const sources = new Map<string, RouteSource | undefined>()

  function make(chain: Chain): RouteSource | undefined {
    const { caipNetworkId, exchange = knownExchanges[caipNetworkId], swapProvider } = chain
    const { namespace, reference } = parseChainId(caipNetworkId)
    if (namespace !== 'eip155') return undefined
    // One chain has one contract that takes tokens: whoever asks for an allowance need not say for whose way.
    if (swapProvider !== undefined) return createZeroEx({ provider: swapProvider, chainId: reference, clock })
    if (exchange === undefined || exchange === false) return undefined
    return createPoolRoutes({ exchange, pool: pools.of(chain), clock })
  }

  return {
    of(chain) {
      const { caipNetworkId } = chain
      if (!sources.has(caipNetworkId)) sources.set(caipNetworkId, make(chain))
      return sources.get(caipNetworkId)
    },
  }
}
