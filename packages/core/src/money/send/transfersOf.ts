import type { Adapter } from '../../adapter.ts'
import type { Transfers } from '../transfers.ts'
import { sendError } from './errors.ts'

/**
 * How assets are moved in the family of a network.
 *
 * @throws LatchkeyError `send/unsupported` where wallets cannot be asked to [R4.4.1].
 */
export async function transfersOf({ adapter }: { readonly adapter: Adapter }): Promise<Transfers> {
  const transfers = await adapter.transfers?.()
  if (transfers === undefined) throw sendError('send/unsupported', { family: adapter.name })
  return transfers
}
