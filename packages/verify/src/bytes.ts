export { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

export function utf8Bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Whether two runs of bytes are the same. Nothing compared here is a secret. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

/** Asks a library about bytes of a stranger: what makes it throw is no signature of anybody. */
export function proves(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}
