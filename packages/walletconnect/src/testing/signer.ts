import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8Bytes } from '../bytes.ts'

/** An account of eip155 for tests, which signs as `personal_sign` does. */
export type TestSigner = { readonly address: string; sign(message: string): string }

/** Makes an account from 32 bytes. */
export function signerFrom(secretKey: Uint8Array): TestSigner {
  const publicKey = secp256k1.getPublicKey(secretKey, false)
  return {
    address: checksummed(bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))),
    sign(message) {
      const bytes = utf8Bytes(message)
      const prefixed = Uint8Array.of(...utf8Bytes(`\u0019Ethereum Signed Message:\n${bytes.length}`), ...bytes)
      const signature = secp256k1.sign(keccak_256(prefixed), secretKey, { prehash: false, format: 'recovered' })
      const [recovery = 0] = signature
      return `0x${bytesToHex(Uint8Array.of(...signature.subarray(1), 27 + recovery))}`
    },
  }
}

/** ERC-55: letters in upper case where the hash of the address says so. */
function checksummed(hex: string): string {
  const hash = bytesToHex(keccak_256(utf8Bytes(hex)))
  return `0x${hex.replace(/[a-f]/g, (letter, at: number) => (parseInt(hash.charAt(at), 16) >= 8 ? letter.toUpperCase() : letter))}`
}
