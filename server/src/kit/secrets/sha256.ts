import { createHash } from 'node:crypto'

/** Returns the SHA-256 digest (FIPS 180-4) of bytes, or of a string in UTF-8: 32 bytes. */
export function sha256(data: Uint8Array | string): Buffer {
  return createHash('sha256').update(data).digest()
}
