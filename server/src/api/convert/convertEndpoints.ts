import type { Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { ApiServices } from '../apiServices.ts'
import { createAllowanceEndpoint } from './allowanceEndpoint.ts'
import { createBuildApproveEndpoint } from './buildApproveEndpoint.ts'
import { createBuildTransactionEndpoint } from './buildTransactionEndpoint.ts'
import { createGasPriceEndpoint } from './gasPriceEndpoint.ts'
import { createQuotesEndpoint } from './quotesEndpoint.ts'
import { createRouteSources } from './routeSources.ts'
import { createTokensEndpoint } from './tokensEndpoint.ts'

/** `/v1/convert/…`. */
export function createConvertEndpoints({ chains, pools, bus, clock, tokenIcons }: ApiServices): readonly Endpoint[] {
  const dependencies = { chains, pools, bus, clock, sources: createRouteSources({ pools, clock }) }
  return [
    createGasPriceEndpoint(dependencies),
    createAllowanceEndpoint(dependencies),
    createTokensEndpoint({ ...dependencies, tokenIcons }),
    createQuotesEndpoint(dependencies),
    createBuildApproveEndpoint(dependencies),
    createBuildTransactionEndpoint(dependencies),
  ]
}
