import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, isEqualBytes } from '../../bytes.ts'
import { hashForTaproot, type SignatureHashInput } from '../signatureHash.ts'
import { compactSize, taggedHash } from '../taggedHash.ts'
import { withLength, type TransactionInput } from '../transaction.ts'
import { brokenRule } from './brokenRule.ts'
import type { Evaluation } from './evaluation.ts'
import { parseOperations } from './parseOperations.ts'
import { runScript } from './runScript.ts'
import { isTruthy } from './scriptNumber.ts'
import { assertSchnorr, createTapscriptChecker } from './signatureChecker.ts'
import type { TimeLocks } from './timeLocks.ts'

type TaprootRun = SignatureHashInput & {
  readonly input: TransactionInput
  readonly locks: TimeLocks
  readonly evaluation: Evaluation
}

const annexTag = 0x50
const tapscriptVersion = 0xc0

/**
 * Verifies a Taproot input, by its key or by one of its scripts (BIP-341, BIP-342).
 *
 * @param key the key of the address
 * @throws if it is invalid
 */
export function verifyTaproot(run: TaprootRun, key: Uint8Array): void {
  const { witness } = run.input
  const hasAnnex = witness.length > 1 && witness.at(-1)?.[0] === annexTag
  // An annex has no meaning yet.
  if (hasAnnex) run.evaluation.isConclusive = false
  const annex = hasAnnex ? witness.at(-1) : undefined
  const values = hasAnnex ? witness.slice(0, -1) : witness
  const [first] = values
  if (first === undefined) return brokenRule('the witness is empty')
  if (values.length > 1) return verifyLeaf(run, key, values, annex)
  const hash = (sighashType: 0 | 1): Uint8Array => hashForTaproot(run, { sighashType, annex, leafHash: undefined })
  assertSchnorr(first, key, hash, run.evaluation)
}

function verifyLeaf(
  run: TaprootRun,
  key: Uint8Array,
  values: readonly Uint8Array[],
  annex: Uint8Array | undefined,
): void {
  const [script = new Uint8Array(), control = new Uint8Array()] = values.slice(-2)
  const leafVersion = (control[0] ?? 0) & 0xfe
  const leafHash = taggedHash('TapLeaf', Uint8Array.of(leafVersion), withLength(script))
  assertCommitment(key, control, leafHash)
  const { evaluation, locks, input } = run
  if (leafVersion !== tapscriptVersion || hasReservedOperation(script)) {
    evaluation.isConclusive = false
    return
  }
  const stack = values.slice(0, -2)
  if (stack.some(({ length }) => length > 520)) return brokenRule('a value of the witness is too long')
  if (stack.length > 1_000) return brokenRule('the witness has too many values')
  const hash = (sighashType: 0 | 1): Uint8Array => hashForTaproot(run, { sighashType, annex, leafHash })
  const isSigned = createTapscriptChecker(hash, sizeOf(input.witness), evaluation)
  const result = runScript({ kind: 'tapscript', script, isSigned, locks, evaluation }, stack)
  if (result.size !== 1 || !isTruthy(result.peek())) brokenRule('the script is not met')
}

/** Checks that a key commits to a leaf: it is the internal key, tweaked by the root of the tree. */
function assertCommitment(key: Uint8Array, control: Uint8Array, leafHash: Uint8Array): void {
  const pathBytes = control.length - 33
  if (pathBytes < 0 || pathBytes % 32 !== 0 || pathBytes > 32 * 128) return brokenRule('a control block is malformed')
  let root = leafHash
  for (let at = 33; at < control.length; at += 32) {
    const pair = [root, control.subarray(at, at + 32)].toSorted(compareBytes)
    root = taggedHash('TapBranch', ...pair)
  }
  const internal = control.subarray(1, 33)
  const point = tweakKey(internal, taggedHash('TapTweak', internal, root))
  const isOdd = ((control[0] ?? 0) & 1) === 1
  if (!isEqualBytes(point.subarray(1), key) || (point[0] === 0x03) !== isOdd)
    brokenRule('the script is not of the address')
}

/** @throws if the key is not on the curve, or if the tweak is not below the order of the curve */
function tweakKey(internal: Uint8Array, tweak: Uint8Array): Uint8Array {
  const point = schnorr.utils.lift_x(BigInt(`0x${bytesToHex(internal)}`))
  return point.add(secp256k1.Point.BASE.multiply(BigInt(`0x${bytesToHex(tweak)}`))).toBytes(true)
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  return bytesToHex(one) < bytesToHex(other) ? -1 : 1
}

/** True if a script has an OP_SUCCESS, with which an upgrade can change the meaning of the whole script (BIP-342). */
function hasReservedOperation(script: Uint8Array): boolean {
  for (const { opcode } of parseOperations(script)) if (isReserved(opcode)) return true
  return false
}

const reserved: readonly (readonly [number, number])[] = [
  [80, 80],
  [98, 98],
  [126, 129],
  [131, 134],
  [137, 138],
  [141, 142],
  [149, 153],
  [187, 254],
]

function isReserved(opcode: number): boolean {
  return reserved.some(([first, last]) => opcode >= first && opcode <= last)
}

/** The size of a witness in a transaction. */
function sizeOf(witness: readonly Uint8Array[]): number {
  return concatBytes(compactSize(witness.length), ...witness.map(withLength)).length
}
