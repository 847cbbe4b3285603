import type { Endpoint } from '../../kit/endpoint.ts'
import type { Parts } from '../parts.ts'
import { allowance } from './allowance.ts'
import { gasPrice } from './gasPrice.ts'

/** `/v1/convert/…`. */
export function convertEndpoints({ chains, pools }: Parts): readonly Endpoint[] {
  return [gasPrice({ chains, pools }), allowance({ chains, pools })]
}
