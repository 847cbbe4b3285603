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
 * Verifies a simple BIP-322 signature: a witness that unlocks the address for the message. Supports P2WPKH, P2SH-P2WPKH,
 * key-path P2TR, and P2WSH with one key or with several (`OP_CHECKMULTISIG`).
 */
export function isSignedByBip322(lock: LockingScript, message: string, signature: Uint8Array): boolean {
  const witness = parseWitness(signature)
  const spent = concatBytes(hashToSpend(lock, message), zero)
  const [first, key] = witness
  if (first === undefined) return false
  if (lock.kind === 'tr') return witness.length === 1 && isSchnorr(lock, spent, first)
  if (lock.kind === 'wsh') return isUnlockedByScript(lock, spent, witness)
  if (witness.length !== 2 || key?.length !== 33) return false
  const hash = hash160(key)
  const program = lock.kind === 'sh' ? hash160(concatBytes(Uint8Array.of(0x00, 0x14), hash)) : hash
  return lock.kind !== 'pkh' && isEqualBytes(program, lock.program) && isEcdsa(keyHashCode(hash), key, spent, first)
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

/** The script code of a key hash in BIP-143, with its length. */
function keyHashCode(keyHash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x19, 0x76, 0xa9, 0x14), keyHash, Uint8Array.of(0x88, 0xac))
}

/** Verifies the signatures of a witness script, which is the last item of the witness. */
function isUnlockedByScript({ program }: LockingScript, spent: Uint8Array, witness: readonly Uint8Array[]): boolean {
  const script = witness.at(-1)
  const terms = script === undefined ? undefined : parseKeyScript(script)
  if (script === undefined || terms === undefined || !isEqualBytes(sha256(script), program)) return false
  const given = witness.slice(0, -1)
  // OP_CHECKMULTISIG takes one item too many, which must be empty (BIP-147).
  if (terms.isMultisig && given[0]?.length !== 0) return false
  const signatures = terms.isMultisig ? given.slice(1) : given
  if (signatures.length !== terms.required) return false
  const code = concatBytes(compactSize(script.length), script)
  // Signatures have the order of their keys.
  let at = 0
  return signatures.every((signature) => {
    while (at < terms.keys.length) {
      const key = terms.keys[at++]
      if (key !== undefined && isEcdsa(code, key, spent, signature)) return true
    }
    return false
  })
}

type KeyScript = { isMultisig: boolean; required: number; keys: readonly Uint8Array[] }

/** Parses `<key> OP_CHECKSIG`, or `m <keys> n OP_CHECKMULTISIG`. Witness scripts only have compressed keys. */
function parseKeyScript(script: Uint8Array): KeyScript | undefined {
  const keyBytes = 33
  const numberAt = (at: number): number => (script[at] ?? 0) - 0x50
  const isMultisig = script.at(-1) === 0xae
  const [start, end] = isMultisig ? [1, script.length - 2] : [0, script.length - 1]
  const keys: Uint8Array[] = []
  for (let at = start; at < end; at += 1 + keyBytes) {
    if (script[at] !== keyBytes || at + 1 + keyBytes > end) return undefined
    keys.push(script.subarray(at + 1, at + 1 + keyBytes))
  }
  if (!isMultisig) return script.at(-1) === 0xac && keys.length === 1 ? { isMultisig, required: 1, keys } : undefined
  const [required, count] = [numberAt(0), numberAt(script.length - 2)]
  const isValid = required >= 1 && required <= count && count <= 16 && count === keys.length
  return isValid ? { isMultisig, required, keys } : undefined
}

/** Verifies a signature of BIP-143, with strict DER encoding and a low S. `code` starts with its length. */
function isEcdsa(code: Uint8Array, key: Uint8Array, spent: Uint8Array, signature: Uint8Array): boolean {
  if (signature[signature.length - 1] !== sighashAll) return false
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
    const isLong = bytes[at] === 0xfd
    const length = isLong ? (bytes[at + 1] ?? 0) + 256 * (bytes[at + 2] ?? 0) : bytes[at]
    const start = at + (isLong ? 3 : 1)
    // A length has one encoding. Witness scripts with longer items are not supported.
    if (length === undefined || (!isLong && length > 0xfd) || (isLong && length < 0xfd)) return []
    if (start + length > bytes.length) return []
    items.push(bytes.subarray(start, start + length))
    at = start + length
  }
  return at === bytes.length ? items : []
}
