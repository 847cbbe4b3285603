import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8Bytes } from '../bytes.ts'

/** RIPEMD-160 of SHA-256. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes))
}

/** SHA-256 of SHA-256. */
export function doubleSha256(...chunks: readonly Uint8Array[]): Uint8Array {
  return sha256(sha256(concatBytes(...chunks)))
}

/** Hashes data for one purpose (BIP-340). */
export function taggedHash(tag: string, ...chunks: readonly Uint8Array[]): Uint8Array {
  const prefix = sha256(utf8Bytes(tag))
  return sha256(concatBytes(prefix, prefix, ...chunks))
}

/** Encodes a number in four bytes, little-endian. */
export function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

/** Encodes a number in eight bytes, little-endian. */
export function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

/** Encodes a length as in transactions (CompactSize). */
export function compactSize(length: number): Uint8Array {
  if (length < 0xfd) return Uint8Array.of(length)
  if (length <= 0xffff) return Uint8Array.of(0xfd, length & 0xff, length >> 8)
  return concatBytes(Uint8Array.of(0xfe), uint32(length))
}
