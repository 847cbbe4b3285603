import type { Adapter } from '../../contracts/adapter.ts'
import type { Transfers } from '../transfers.ts'
import { sendError } from './sendError.ts'

/**
 * Returns the transfers of a network's namespace.
 *
 * @throws LatchkeyError `send/unsupported` if wallets of the namespace don't accept transfers [R4.4.1]
 */
export async function getTransfers({ adapter }: { readonly adapter: Adapter }): Promise<Transfers> {
  const transfers = await adapter.transfers?.()
  if (transfers === undefined) throw sendError('send/unsupported', { network: adapter.name })
  return transfers
}
