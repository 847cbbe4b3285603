import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { isProven } from '../../bytes.ts'
import { brokenRule } from './brokenRule.ts'
import { spendOne, type Evaluation } from './evaluation.ts'

/** Checks a signature of a script. It ends the evaluation if an encoding is invalid. */
export type SignatureChecker = (signature: Uint8Array, key: Uint8Array) => boolean

const sighashAll = 0x01

/**
 * Creates a checker of ECDSA signatures by the required rules of BIP-322: strict DER, a low S and SIGHASH_ALL.
 *
 * @param hash hashes the transaction for SIGHASH_ALL
 * @param isWitness witness scripts only have compressed keys
 */
export function createEcdsaChecker(
  hash: () => Uint8Array,
  isWitness: boolean,
  evaluation: Evaluation,
): SignatureChecker {
  let digest: Uint8Array | undefined
  return (signature, key) => {
    if (!isKeyEncoding(key, isWitness)) return brokenRule('a key has an invalid encoding')
    if (signature.length === 0) return false
    if (signature.at(-1) !== sighashAll) return brokenRule('a signature is not for the whole transaction')
    const der = signature.subarray(0, -1)
    // Throws unless the encoding is strict.
    if (secp256k1.Signature.fromBytes(der, 'der').hasHighS()) return brokenRule('a signature has a high S')
    spendOne(evaluation, 'signatures')
    const bytes = (digest ??= hash())
    // Throws if the key is not a point of the curve.
    return isProven(() => secp256k1.verify(der, bytes, key, { format: 'der', prehash: false, lowS: true }))
  }
}

function isKeyEncoding(key: Uint8Array, isWitness: boolean): boolean {
  const isCompressed = key.length === 33 && (key[0] === 0x02 || key[0] === 0x03)
  return isCompressed || (!isWitness && key.length === 65 && key[0] === 0x04)
}

/**
 * Verifies a Schnorr signature (BIP-340, BIP-341).
 *
 * @param hash hashes the transaction for a type of signature
 * @throws if the signature is invalid
 */
export function assertSchnorr(
  signature: Uint8Array,
  key: Uint8Array,
  hash: (sighashType: 0 | 1) => Uint8Array,
  evaluation: Evaluation,
): void {
  const type = signature.length === 65 ? signature[64] : 0
  // The type 0 means the same and must be left out. Otherwise one signature would have two encodings.
  if (signature.length === 65 && type !== sighashAll) return brokenRule('a signature has an invalid type')
  spendOne(evaluation, 'signatures')
  const digest = hash(type === sighashAll ? sighashAll : 0)
  if (!schnorr.verify(signature.subarray(0, 64), digest, key)) brokenRule('a signature is wrong')
}

/** The weight that each signature of a Tapscript needs (BIP-342). */
const weightPerSignature = 50

/**
 * Creates a checker of the signatures of a Tapscript (BIP-342). Its budget follows from the weight of the witness.
 *
 * @param weight the size of the witness in bytes
 */
export function createTapscriptChecker(
  hash: (sighashType: 0 | 1) => Uint8Array,
  weight: number,
  evaluation: Evaluation,
): SignatureChecker {
  let budget = weight + weightPerSignature
  return (signature, key) => {
    if (signature.length > 0) budget -= weightPerSignature
    if (budget < 0) return brokenRule('the witness has too many signatures for its size')
    if (key.length === 0) return brokenRule('a key is empty')
    // Other lengths are reserved for future kinds of keys. Today, such a signature counts as valid.
    if (key.length !== 32) evaluation.isConclusive = false
    else if (signature.length > 0) assertSchnorr(signature, key, hash, evaluation)
    return signature.length > 0
  }
}
