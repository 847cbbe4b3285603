import type { AccountId } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { connect, type ConnectOptions } from './connect.ts'

/**
 * Connects a wallet in all of its namespaces, one after the other, since a wallet asks its visitor one thing at a time.
 * What was granted stays when a later question is declined.
 *
 * @param connectorIds those of a `WalletRow`
 * @returns the accounts that were granted, at least one
 * @throws LatchkeyError as `connect` does, when nothing was granted.
 * @example await connectAll(latchkey, row.connectorIds)
 */
export async function connectAll(
  latchkey: Latchkey,
  connectorIds: readonly string[],
  options: ConnectOptions = {},
): Promise<readonly AccountId[]> {
  const granted: AccountId[] = []
  for (const connectorId of connectorIds) {
    try {
      granted.push(await connect(latchkey, connectorId, options))
    } catch (error) {
      if (granted.length === 0) throw error
      break
    }
  }
  return granted
}
