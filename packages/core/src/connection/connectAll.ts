import type { AccountId } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { connect, type ConnectOptions } from './connect.ts'

/**
 * Connects a wallet in all its namespaces, one after another, because a wallet shows one prompt at a time. If the user
 * rejects a later prompt, the earlier connections stay.
 *
 * @param connectorIds the connector ids of a `WalletRow`
 * @returns the granted accounts, at least one
 * @throws LatchkeyError the same codes as `connect`, if nothing was granted
 * @example
 * const [row] = listWallets(latchkey).injected
 * if (row !== undefined) await connectAll(latchkey, row.connectorIds)
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
