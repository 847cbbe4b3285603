import { toHex } from '../wallet/toHex.ts'

/** A signed transaction of version 4. */
const signedVersion4 = 0x84

const keyLength = 32

/** True if a transaction is signed by an account, in either form of an address. */
export function isSignedBy(extrinsic: Uint8Array, signer: Uint8Array): boolean {
  const start = getPrefixLength(extrinsic)
  if (extrinsic[start] !== signedVersion4) return false
  const key = toHex(signer)
  const plain = extrinsic.subarray(start + 1, start + 1 + keyLength)
  const inEnum = extrinsic.subarray(start + 2, start + 2 + keyLength)
  return toHex(plain) === key || (extrinsic[start + 1] === 0 && toHex(inEnum) === key)
}

/** Returns the length of the number that starts an encoded transaction (SCALE's compact form). */
function getPrefixLength([first = 0]: Uint8Array): number {
  const mode = first & 3
  return mode === 3 ? 5 + (first >> 2) : 2 ** mode
}
