import type { Endpoint } from '../../kit/endpoint.ts'
import type { Parts } from '../parts.ts'
import { allowance } from './allowance.ts'
import { buildApprove } from './buildApprove.ts'
import { buildTransaction } from './buildTransaction.ts'
import { gasPrice } from './gasPrice.ts'
import { quotes } from './quotes.ts'
import { createRouteSources } from './routeSources.ts'
import { tokens } from './tokens.ts'

/** `/v1/convert/…`. */
export function convertEndpoints({ chains, pools, bus, clock }: Parts): readonly Endpoint[] {
  const parts = { chains, pools, bus, clock, sources: createRouteSources({ pools, clock }) }
  return [gasPrice(parts), allowance(parts), tokens(parts), quotes(parts), buildApprove(parts), buildTransaction(parts)]
}
