import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, encodeUtf8 } from '../crypto/bytes.ts'

/** A test account of eip155 that signs like `personal_sign`. */
export type TestSigner = { readonly address: string; sign(message: string): string }

/** Creates an account from a 32-byte key. */
export function createTestSigner(secretKey: Uint8Array): TestSigner {
  const publicKey = secp256k1.getPublicKey(secretKey, false)
  return {
    address: toChecksumAddress(bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))),
    sign(message) {
      const bytes = encodeUtf8(message)
      const prefixed = Uint8Array.of(...encodeUtf8(`\u0019Ethereum Signed Message:\n${bytes.length}`), ...bytes)
      const signature = secp256k1.sign(keccak_256(prefixed), secretKey, { prehash: false, format: 'recovered' })
      const [recovery = 0] = signature
      return `0x${bytesToHex(Uint8Array.of(...signature.subarray(1), 27 + recovery))}`
    },
  }
}

/** Formats an address with the checksum of ERC-55. */
function toChecksumAddress(hex: string): string {
  const hash = bytesToHex(keccak_256(encodeUtf8(hex)))
  return `0x${hex.replace(/[a-f]/g, (letter, at: number) => (parseInt(hash.charAt(at), 16) >= 8 ? letter.toUpperCase() : letter))}`
}
