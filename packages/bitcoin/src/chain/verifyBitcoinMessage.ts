import type { Network } from '@latchkey/protocol'
import { verifyBip122 } from '@latchkey/verify/bip122'
import { parseBitcoinAddress } from '../address/parseBitcoinAddress.ts'

/** Verifies a signature of an address, BIP-322 or the older recoverable kind. Sends no request. */
export async function verifyBitcoinMessage(
  { caipNetworkId }: Network,
  address: string,
  message: string,
  signature: string,
): Promise<boolean> {
  return verifyBip122(parseBitcoinAddress(caipNetworkId, address), message, signature)
}
