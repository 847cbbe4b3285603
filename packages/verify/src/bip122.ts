import { verifyBip322 } from './bitcoin/bip322.ts'
import { parseBip322Signature } from './bitcoin/bip322Signature.ts'
import { isSignedLegacy } from './bitcoin/legacy.ts'
import { parseBitcoinScript } from './bitcoin/lockingScript.ts'
import { isProven } from './bytes.ts'

export { verifyBip322, type Bip322Result, type ClaimedOutput } from './bitcoin/bip322.ts'

/**
 * Verifies that a Bitcoin address signed a message: a simple or full BIP-322 signature, or the older recoverable signature of any
 * address with one key. Supports mainnet, testnet, signet and regtest.
 *
 * Signatures with time locks and proofs of funds return false, because they prove more or less than the address. Use
 * `verifyBip322` for them.
 *
 * @param signature base64
 * @returns true if the signature is valid
 * @example verifyBip122('bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', 'Hello World', 'AkcwRAIg…')
 */
export function verifyBip122(address: string, message: string, signature: string): boolean {
  const lock = parseBitcoinScript(address)
  if (lock === undefined) return false
  return isProven(() => {
    const parsed = parseBip322Signature(signature)
    if (parsed.format === 'recoverable') return isSignedLegacy(lock, message, parsed.bytes)
    return parsed.format !== 'proof-of-funds' && verifyBip322(address, message, signature).status === 'valid'
  })
}
