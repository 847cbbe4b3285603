import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

const hardened = 0x8000_0000

/**
 * Derives the Ed25519 private key at a path below a seed (SLIP-0010). The curve has hardened children only, so every
 * index counts as hardened.
 *
 * @param seed BIP-39 seed
 * @param path for example `[44, 501, 0, 0]`, each index below 2³¹
 * @returns 32 bytes that the caller has to wipe
 * @example const privateKey = deriveEd25519(seed, [44, 501, 0, 0])
 */
export function deriveEd25519(seed: Uint8Array, path: readonly number[]): Uint8Array {
  let node = hmac(sha512, utf8ToBytes('ed25519 seed'), seed)
  for (const index of path) {
    if (!Number.isSafeInteger(index) || index < 0 || index >= hardened) throw new RangeError('invalid path index')
    const parent = node
    node = hmac(
      sha512,
      parent.subarray(32),
      concatBytes(Uint8Array.of(0), parent.subarray(0, 32), hardenedIndexBytes(index)),
    )
    parent.fill(0)
  }
  const key = node.slice(0, 32)
  node.fill(0)
  return key
}

function hardenedIndexBytes(index: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, index + hardened)
  return bytes
}
