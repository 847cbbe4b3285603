import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, proves, utf8Bytes } from './bytes.ts'

/**
 * Whether the key of an address of eip155 signed a text (EIP-191, version `E`, which wallets call `personal_sign`). No
 * chain is asked; for the accounts of contracts see `verifySignIn`.
 *
 * @param address with `0x`, in any case
 * @param signature hex with `0x`: 65 bytes, whose last starts at 0 or at 27, or the 64 of EIP-2098
 */
export function verifyEip155(address: string, message: string, signature: string): boolean {
  return proves(() => {
    const digest = digestOf(message)
    const key = secp256k1.recoverPublicKey(recoverable(signature), digest, { prehash: false })
    return addressOf(key) === address.toLowerCase()
  })
}

/** What is signed for a text: the hash that contracts are asked about. */
export function digestOf(message: string): Uint8Array {
  const bytes = utf8Bytes(message)
  return keccak_256(concatBytes(utf8Bytes(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes))
}

/** Puts the recovery bit first, as the curve wants it. */
function recoverable(signature: string): Uint8Array {
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

function addressOf(compressedKey: Uint8Array): string {
  const key = secp256k1.Point.fromBytes(compressedKey).toBytes(false)
  return `0x${bytesToHex(keccak_256(key.subarray(1)).subarray(12))}`
}
