import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, isProven, utf8Bytes } from './bytes.ts'

/**
 * Verifies that the key of an eip155 address signed a message (EIP-191 version `E`, `personal_sign`). Sends no request.
 * For contract accounts, use `verifySignIn`.
 *
 * @param address with `0x`, in any case
 * @param signature hex with `0x`: 65 bytes with a recovery byte from 0 or from 27, or 64 bytes (EIP-2098)
 * @returns true if the signature is valid
 * @example verifyEip155('0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb', message, signature)
 */
export function verifyEip155(address: string, message: string, signature: string): boolean {
  return isProven(() => {
    const digest = hashPersonalMessage(message)
    const key = secp256k1.recoverPublicKey(toRecoverable(signature), digest, { prehash: false })
    return toAddress(key) === address.toLowerCase()
  })
}

/**
 * Hashes a message as wallets sign it (EIP-191). Contracts verify signatures of this hash.
 *
 * @example const digest = hashPersonalMessage('Hello')
 */
export function hashPersonalMessage(message: string): Uint8Array {
  const bytes = utf8Bytes(message)
  return keccak_256(concatBytes(utf8Bytes(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes))
}

/** Moves the recovery bit to the front, as the curve library expects it. */
function toRecoverable(signature: string): Uint8Array {
  const bytes = hexToBytes(signature.replace(/^0x/, ''))
  const [recovery, s] = [bytes[64], bytes[32] ?? 0]
  if (bytes.length === 64) {
    const compact = bytes.slice()
    compact[32] = s & 0x7f
    return concatBytes(Uint8Array.of(s >> 7), compact)
  }
  if (bytes.length !== 65 || recovery === undefined) throw new TypeError('a signature has 64 or 65 bytes')
  return concatBytes(Uint8Array.of(recovery < 27 ? recovery : recovery - 27), bytes.subarray(0, 64))
}

function toAddress(compressedKey: Uint8Array): string {
  const key = secp256k1.Point.fromBytes(compressedKey).toBytes(false)
  return `0x${bytesToHex(keccak_256(key.subarray(1)).subarray(12))}`
}
