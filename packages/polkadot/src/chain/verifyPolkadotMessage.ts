import { verifyPolkadot } from '@latchkey/verify/polkadot'
import { parseSs58Address } from '../address/ss58Address.ts'

/**
 * Verifies a signature of an account, in any of the schemes that wallets use. Sends no request.
 *
 * @throws LatchkeyError `address/invalid`
 */
export async function verifyPolkadotMessage(address: string, message: string, signature: string): Promise<boolean> {
  // A mistyped address is an error, not just a signature of another account.
  parseSs58Address(address)
  return verifyPolkadot(address, message, signature)
}
