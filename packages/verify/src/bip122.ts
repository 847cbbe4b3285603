import { base64 } from '@scure/base'
import { readAddress } from './bitcoin/address.ts'
import { isSignedSimple } from './bitcoin/bip322.ts'
import { isSignedLegacy } from './bitcoin/legacy.ts'
import { proves } from './bytes.ts'

/**
 * Whether an address of Bitcoin signed a text: BIP-322 in its simple form, or the recoverable signature that came before
 * it. Mainnet, testnet, signet and regtest.
 *
 * @param signature base64
 * @example verifyBip122('bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', 'Hello World', 'AkcwRAIg…')
 */
export function verifyBip122(address: string, message: string, signature: string): boolean {
  const lock = readAddress(address)
  if (lock === undefined) return false
  return proves(() => {
    const bytes = base64.decode(signature.replace(/^smp/, ''))
    return bytes.length === 65 ? isSignedLegacy(lock, message, bytes) : isSignedSimple(lock, message, bytes)
  })
}
