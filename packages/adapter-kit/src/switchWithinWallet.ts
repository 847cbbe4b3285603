import type { Connection } from '@latchkey/core'
import { type Network, networkError } from '@latchkey/protocol'

/**
 * Switches a connection to another network, for namespaces without a request for it.
 *
 * @throws LatchkeyError `network/switch-unsupported` if the wallet can't use that network
 * @example await switchWithinWallet(connection, bitcoinTestnet)
 */
export async function switchWithinWallet({ switchTo, wallet }: Connection, { caipNetworkId }: Network): Promise<void> {
  if (switchTo !== undefined && (await switchTo(caipNetworkId))) return
  throw networkError('network/switch-unsupported', { wallet: wallet.name })
}
