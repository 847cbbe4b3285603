import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, isEqualBytes, utf8Bytes } from '../bytes.ts'
import type { LockingScript } from './lockingScript.ts'
import { compactSize, doubleSha256, hash160, taggedHash, uint32 } from './taggedHash.ts'

const zeroValue = new Uint8Array(8)
const zero = uint32(0)
const sighashAll = 0x01
/** An output without value, locked by `OP_RETURN`. */
const output = concatBytes(zeroValue, Uint8Array.of(0x01, 0x6a))

/**
 * Verifies a simple BIP-322 signature: a witness that unlocks the address for the message. Supports P2WPKH, P2SH-P2WPKH and
 * key-path P2TR.
 */
export function isSignedByBip322(lock: LockingScript, message: string, signature: Uint8Array): boolean {
  const witness = parseWitness(signature)
  const spent = concatBytes(hashToSpend(lock, message), zero)
  const [first, key] = witness
  if (first === undefined) return false
  if (lock.kind === 'tr') return witness.length === 1 && isSchnorr(lock, spent, first)
  if (witness.length !== 2 || key?.length !== 33) return false
  const hash = hash160(key)
  const program = lock.kind === 'sh' ? hash160(concatBytes(Uint8Array.of(0x00, 0x14), hash)) : hash
  return lock.kind !== 'pkh' && isEqualBytes(program, lock.program) && isEcdsa(hash, key, spent, first)
}

/** Hashes the transaction that locks the message to the address. */
function hashToSpend({ script }: LockingScript, message: string): Uint8Array {
  const messageHash = taggedHash('BIP0322-signed-message', utf8Bytes(message))
  return doubleSha256(
    zero,
    Uint8Array.of(0x01),
    new Uint8Array(32),
    uint32(0xffff_ffff),
    Uint8Array.of(0x22, 0x00, 0x20),
    messageHash,
    zero,
    Uint8Array.of(0x01),
    zeroValue,
    compactSize(script.length),
    script,
    zero,
  )
}

/** Verifies a signature of BIP-143, with strict DER encoding and a low S. */
function isEcdsa(keyHash: Uint8Array, key: Uint8Array, spent: Uint8Array, signature: Uint8Array): boolean {
  if (signature[signature.length - 1] !== sighashAll) return false
  const code = concatBytes(Uint8Array.of(0x19, 0x76, 0xa9, 0x14), keyHash, Uint8Array.of(0x88, 0xac))
  const outputs = doubleSha256(output)
  const digest = doubleSha256(
    zero,
    doubleSha256(spent),
    doubleSha256(zero),
    spent,
    code,
    zeroValue,
    zero,
    outputs,
    zero,
    uint32(sighashAll),
  )
  const options = { format: 'der', prehash: false, lowS: true } as const
  return secp256k1.verify(signature.subarray(0, -1), digest, key, options)
}

/** Verifies a BIP-341 signature by the key of the address. */
function isSchnorr({ script, program }: LockingScript, spent: Uint8Array, signature: Uint8Array): boolean {
  const type = signature.length === 64 ? 0x00 : signature[64]
  if (signature.length > 65 || (type !== 0x00 && type !== sighashAll)) return false
  // The type 0 must be omitted. Otherwise the same signature would have two encodings.
  if (signature.length === 65 && type !== sighashAll) return false
  const digest = taggedHash(
    'TapSighash',
    Uint8Array.of(0x00, type),
    zero,
    zero,
    sha256(spent),
    sha256(zeroValue),
    sha256(concatBytes(compactSize(script.length), script)),
    sha256(zero),
    sha256(output),
    Uint8Array.of(0x00),
    zero,
  )
  return schnorr.verify(signature.subarray(0, 64), digest, program)
}

/** Parses the items of a witness. Returns an empty list if bytes are missing or left over. */
function parseWitness(bytes: Uint8Array): readonly Uint8Array[] {
  const items: Uint8Array[] = []
  const [count = 0] = bytes
  let at = 1
  while (items.length < count) {
    const length = bytes[at]
    // No item for a single key is longer.
    if (length === undefined || length >= 0xfd || at + 1 + length > bytes.length) return []
    items.push(bytes.subarray(at + 1, at + 1 + length))
    at += 1 + length
  }
  return at === bytes.length ? items : []
}
