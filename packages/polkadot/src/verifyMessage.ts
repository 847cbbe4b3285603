import { verifyPolkadot } from '@latchkey/verify/polkadot'
import { accountKeyOf } from './ss58.ts'

/** Whether a signature is that of an account, by any of the schemes of its wallets. Asks nobody. */
export async function verifyMessage(address: string, message: string, signature: string): Promise<boolean> {
  // A mistyped address is told, and not called somebody else's.
  accountKeyOf(address)
  return verifyPolkadot(address, message, signature)
}
