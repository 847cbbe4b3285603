import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, encodeUtf8 } from '../crypto/bytes.ts'

/**
 * True if an address of eip155 signed a message (EIP-191, version `E`: `personal_sign`).
 *
 * @param address with `0x`, in upper, lower or mixed case
 * @param signature 65 bytes as hex, with or without `0x`: r, s and a recovery byte, which starts at 0 or at 27
 */
export function isSignedBy(address: string, message: string, signature: string): boolean {
  try {
    const bytes = hexToBytes(signature.replace(/^0x/, ''))
    const [recovery = 0] = bytes.subarray(64)
    if (bytes.length !== 65) return false
    const recovered = Uint8Array.of(recovery < 27 ? recovery : recovery - 27, ...bytes.subarray(0, 64))
    const key = secp256k1.recoverPublicKey(recovered, hashPersonalMessage(message), { prehash: false })
    return addressOfPublicKey(key) === address.toLowerCase()
  } catch {
    // The bytes are not a signature.
    return false
  }
}

function hashPersonalMessage(message: string): Uint8Array {
  const bytes = encodeUtf8(message)
  return keccak_256(Uint8Array.of(...encodeUtf8(`\u0019Ethereum Signed Message:\n${bytes.length}`), ...bytes))
}

function addressOfPublicKey(compressedKey: Uint8Array): string {
  const key = secp256k1.Point.fromBytes(compressedKey).toBytes(false)
  return `0x${bytesToHex(keccak_256(key.subarray(1)).subarray(12))}`
}
