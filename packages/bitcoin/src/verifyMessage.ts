import type { Network } from '@latchkey/protocol'
import { verifyBip122 } from '@latchkey/verify/bip122'
import { checkedAddress } from './checkedAddress.ts'

/** Whether a signature is that of an address: BIP-322, or the recoverable kind that came before it. Asks nobody. */
export async function verifyMessage(
  { caipNetworkId }: Network,
  address: string,
  message: string,
  signature: string,
): Promise<boolean> {
  return verifyBip122(checkedAddress(caipNetworkId, address), message, signature)
}
