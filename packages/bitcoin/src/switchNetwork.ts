import type { Connection } from '@latchkey/core'
import { LatchkeyError, type Network } from '@latchkey/protocol'

/** Goes to another network with a wallet that can: wallets of this family share one chain at a time, or name it. */
export async function switchNetwork({ switchTo, wallet }: Connection, { caipNetworkId }: Network): Promise<void> {
  if (switchTo !== undefined && (await switchTo(caipNetworkId))) return
  throw new LatchkeyError('network/switch-unsupported', { wallet: wallet.name })
}
