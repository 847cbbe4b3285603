import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes, isEqualBytes, utf8Bytes } from '../bytes.ts'
import type { LockingScript } from './lockingScript.ts'
import { compactSize, doubleSha256, hash160, taggedHash } from './taggedHash.ts'

/**
 * Verifies a recoverable signature of 65 bytes, as made by `signmessage` and BIP-137. Some wallets also use it for witness
 * addresses, without a header of their own. So the address, not the header, determines how its key is hashed.
 */
export function isSignedLegacy({ kind, program }: LockingScript, message: string, signature: Uint8Array): boolean {
  const header = (signature[0] ?? 0) - 27
  if (signature.length !== 65 || header < 0 || header > 15 || kind === 'wsh') return false
  const recoverable = concatBytes(Uint8Array.of(header & 3), signature.subarray(1))
  const key = secp256k1.recoverPublicKey(recoverable, hashBitcoinMessage(message), { prehash: false })
  if (kind === 'tr') return isEqualBytes(tweakKey(key), program)
  const isCompressed = header >= 4
  // Only P2PKH addresses may hash the uncompressed key.
  if (!isCompressed && kind !== 'pkh') return false
  const hash = hash160(isCompressed ? key : secp256k1.Point.fromBytes(key).toBytes(false))
  return isEqualBytes(kind === 'sh' ? hash160(concatBytes(Uint8Array.of(0x00, 0x14), hash)) : hash, program)
}

function hashBitcoinMessage(message: string): Uint8Array {
  const [title, text] = [utf8Bytes('Bitcoin Signed Message:\n'), utf8Bytes(message)]
  return doubleSha256(compactSize(title.length), title, compactSize(text.length), text)
}

/** Tweaks a key for an address without scripts (BIP-86). */
function tweakKey(compressedKey: Uint8Array): Uint8Array {
  const { lift_x: lift, pointToBytes } = schnorr.utils
  const x = compressedKey.subarray(1)
  const tweak = BigInt(`0x${toHex(taggedHash('TapTweak', x))}`)
  return pointToBytes(lift(BigInt(`0x${toHex(x)}`)).add(secp256k1.Point.BASE.multiply(tweak)))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
