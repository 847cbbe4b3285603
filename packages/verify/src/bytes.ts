export { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

/** Encodes a string as UTF-8. */
export function utf8Bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** True if two byte arrays are equal. The comparison is not constant-time: no secrets are compared here. */
export function isEqualBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

/** Runs a verification of untrusted bytes. False if the library throws because of invalid bytes. */
export function isProven(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}
