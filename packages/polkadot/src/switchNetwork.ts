import type { Connection } from '@latchkey/core'
import { LatchkeyError, type Network } from '@latchkey/protocol'

/** Goes to another network. No wallet is asked: every request names its chain. */
export async function switchNetwork({ switchTo, wallet }: Connection, { caipNetworkId }: Network): Promise<void> {
  if (switchTo !== undefined && (await switchTo(caipNetworkId))) return
  throw new LatchkeyError('network/switch-unsupported', { wallet: wallet.name })
}
