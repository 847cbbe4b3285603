import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8Bytes } from './bytes.ts'

/**
 * True if the checksum of an eip155 address is valid (EIP-55). Digits of a single case have no checksum and are accepted,
 * because some wallets sign in with such addresses.
 */
export function isChecksummed(address: string): boolean {
  const digits = address.slice(2)
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return true
  const hash = bytesToHex(keccak_256(utf8Bytes(lower)))
  return [...digits].every((digit, index) => {
    const capital = Number.parseInt(hash[index] ?? '0', 16) > 7
    return digit === (capital ? digit.toUpperCase() : digit.toLowerCase())
  })
}
