import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes, isSame, utf8Bytes } from '../bytes.ts'
import type { Lock } from './address.ts'
import { compactSize, doubleSha256, hash160, taggedHash } from './hashes.ts'

/**
 * Whether a recoverable signature of 65 bytes is that of an address: the way of `signmessage`, of BIP-137, and of the
 * wallets that do the same for the addresses of witnesses without a header of their own. The address and not the header
 * says how its key is hashed.
 */
export function isSignedLegacy({ kind, program }: Lock, message: string, signature: Uint8Array): boolean {
  const header = (signature[0] ?? 0) - 27
  if (signature.length !== 65 || header < 0 || header > 15) return false
  const recoverable = concatBytes(Uint8Array.of(header & 3), signature.subarray(1))
  const key = secp256k1.recoverPublicKey(recoverable, digestOf(message), { prehash: false })
  if (kind === 'tr') return isSame(tweaked(key), program)
  const isCompressed = header >= 4
  // Only the hash of a key may be that of its long form.
  if (!isCompressed && kind !== 'pkh') return false
  const hash = hash160(isCompressed ? key : secp256k1.Point.fromBytes(key).toBytes(false))
  return isSame(kind === 'sh' ? hash160(concatBytes(Uint8Array.of(0x00, 0x14), hash)) : hash, program)
}

function digestOf(message: string): Uint8Array {
  const [title, text] = [utf8Bytes('Bitcoin Signed Message:\n'), utf8Bytes(message)]
  return doubleSha256(compactSize(title.length), title, compactSize(text.length), text)
}

/** The key of an address that has no scripts (BIP-86). */
function tweaked(compressedKey: Uint8Array): Uint8Array {
  const { lift_x: lift, pointToBytes } = schnorr.utils
  const x = compressedKey.subarray(1)
  const tweak = BigInt(`0x${toHex(taggedHash('TapTweak', x))}`)
  return pointToBytes(lift(BigInt(`0x${toHex(x)}`)).add(secp256k1.Point.BASE.multiply(tweak)))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
