import type { Connection } from '@latchkey/core'
import { type Network, networkError } from '@latchkey/protocol'

/**
 * Switches to another network. The wallet receives no request: every later request names its chain.
 *
 * @throws LatchkeyError `network/switch-unsupported`, `network/add-refused` if the wallet has not approved the network
 */
export async function switchSolanaNetwork(
  connection: Connection,
  { caipNetworkId: chainId, name }: Network,
): Promise<void> {
  if (connection.chainId === chainId) return
  if (connection.switchTo === undefined) {
    throw networkError('network/switch-unsupported', { wallet: connection.wallet.name })
  }
  if (!(await connection.switchTo(chainId))) throw networkError('network/add-refused', { network: name })
}
