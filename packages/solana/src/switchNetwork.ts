import type { Connection } from '@latchkey/core'
import { LatchkeyError, type Network } from '@latchkey/protocol'

/** Goes to another network. No wallet is asked: each request names its chain, and wallets say which they take. */
export async function switchNetwork(connection: Connection, { caipNetworkId: chainId, name }: Network): Promise<void> {
  if (connection.chainId === chainId) return
  if (connection.switchTo === undefined) {
    throw new LatchkeyError('network/switch-unsupported', { wallet: connection.wallet.name })
  }
  if (!(await connection.switchTo(chainId))) throw new LatchkeyError('network/add-refused', { network: name })
}
