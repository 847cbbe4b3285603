import { base64 } from '@scure/base'
import { parseBitcoinScript } from './bitcoin/lockingScript.ts'
import { isSignedByBip322 } from './bitcoin/bip322.ts'
import { isSignedLegacy } from './bitcoin/legacy.ts'
import { isProven } from './bytes.ts'

/**
 * Verifies that a Bitcoin address signed a text, with a simple BIP-322 signature, also of several keys (P2WSH), or the older recoverable
 * signature. Supports mainnet, testnet, signet and regtest.
 *
 * @param signature base64
 * @returns true if the signature is valid
 * @example verifyBip122('bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', 'Hello World', 'AkcwRAIg…')
 */
export function verifyBip122(address: string, message: string, signature: string): boolean {
  const lock = parseBitcoinScript(address)
  if (lock === undefined) return false
  return isProven(() => {
    const bytes = base64.decode(signature.replace(/^smp/, ''))
    return bytes.length === 65 ? isSignedLegacy(lock, message, bytes) : isSignedByBip322(lock, message, bytes)
  })
}
