import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, isEqualBytes } from '../../bytes.ts'
import { hashForLegacy, hashForWitness, type SignatureHashInput } from '../signatureHash.ts'
import { hash160, compactSize } from '../taggedHash.ts'
import type { TransactionInput } from '../transaction.ts'
import { brokenRule } from './brokenRule.ts'
import type { Evaluation } from './evaluation.ts'
import { isPushOnly } from './parseOperations.ts'
import { runScript } from './runScript.ts'
import { isTruthy } from './scriptNumber.ts'
import { createEcdsaChecker } from './signatureChecker.ts'
import type { Stack } from './stack.ts'
import { verifyTaproot } from './verifyTaproot.ts'
import type { TimeLocks } from './timeLocks.ts'

/** An input of a transaction under verification. */
export type InputRun = SignatureHashInput & {
  readonly input: TransactionInput
  readonly locks: TimeLocks
  readonly evaluation: Evaluation
}

/**
 * Verifies that an input unlocks the output that it spends, with the consensus rules and the required rules of BIP-322.
 * Rules that are reserved for upgrades make the evaluation inconclusive.
 *
 * @throws if it does not
 */
export function verifyInput(spent: SignatureHashInput, evaluation: Evaluation): void {
  const { transaction, index } = spent
  const input = transaction.inputs[index]
  const script = spent.spent[index]?.script
  if (input === undefined || script === undefined) return brokenRule('an input spends no known output')
  const locks = { version: transaction.version, lockTime: transaction.lockTime, sequence: input.sequence }
  const run: InputRun = { ...spent, input, locks, evaluation }
  const program = parseWitnessProgram(script)
  if (program !== undefined) {
    if (input.scriptSig.length > 0) return brokenRule('a witness address needs no scriptSig')
    return verifyProgram(run, program, false)
  }
  verifyLegacy(run, script)
}

/** The version and hash of a witness address (BIP-141). */
type WitnessProgram = { readonly version: number; readonly program: Uint8Array }

function parseWitnessProgram(script: Uint8Array): WitnessProgram | undefined {
  const [first = 0, length] = script
  const version = first === 0 ? 0 : first - 0x50
  const isProgram = version >= 0 && version <= 16 && script.length >= 4 && script.length <= 42
  return isProgram && length === script.length - 2 ? { version, program: script.subarray(2) } : undefined
}

function verifyLegacy(run: InputRun, script: Uint8Array): void {
  const { scriptSig, witness } = run.input
  const pushed = runLegacy(run, scriptSig, [])
  const unlocking = valuesOf(pushed)
  const result = runLegacy(run, script, unlocking)
  if (!isTruthy(result.peek())) return brokenRule('the script is not met')
  if (!isScriptHash(script)) return assertFinished(result, witness)
  if (!isPushOnly(scriptSig)) return brokenRule('a script hash needs a scriptSig that only pushes')
  const redeemScript = unlocking.at(-1) ?? new Uint8Array()
  const program = parseWitnessProgram(redeemScript)
  if (program === undefined) {
    return assertFinished(runLegacy(run, redeemScript, unlocking.slice(0, -1)), witness)
  }
  // Anything else in the scriptSig could be changed by others.
  const onlyPush = concatBytes(compactSize(redeemScript.length), redeemScript)
  if (!isEqualBytes(scriptSig, onlyPush)) return brokenRule('a scriptSig has more than the witness program')
  verifyProgram(run, program, true)
}

/** True for `OP_HASH160 <hash> OP_EQUAL` (BIP-16). */
function isScriptHash(script: Uint8Array): boolean {
  return script.length === 23 && script[0] === 0xa9 && script[1] === 0x14 && script[22] === 0x87
}

function assertFinished(stack: Stack, witness: readonly Uint8Array[]): void {
  if (witness.length > 0) return brokenRule('a witness has no use')
  assertOnlyTrue(stack)
}

/** The stack must end with one value that is true (CLEANSTACK). */
function assertOnlyTrue(stack: Stack): void {
  if (stack.size !== 1 || !isTruthy(stack.peek())) brokenRule('the script is not met')
}

function runLegacy(
  { locks, evaluation, ...spent }: InputRun,
  script: Uint8Array,
  values: readonly Uint8Array[],
): Stack {
  const isSigned = createEcdsaChecker(() => hashForLegacy(spent, script), false, evaluation)
  return runScript({ kind: 'legacy', script, isSigned, locks, evaluation }, values)
}

/** Copies a stack into a list, from bottom to top. */
function valuesOf(stack: Stack): readonly Uint8Array[] {
  return Array.from({ length: stack.size }, (_, place) => stack.peek(stack.size - 1 - place))
}

function verifyProgram(run: InputRun, { version, program }: WitnessProgram, isNested: boolean): void {
  if (version === 0) return verifyVersion0(run, program)
  // BIP-341 excludes Taproot in a script hash. It and later versions are reserved for upgrades.
  if (version === 1 && program.length === 32 && !isNested) return verifyTaproot(run, program)
  run.evaluation.isConclusive = false
}

function verifyVersion0({ input, locks, evaluation, ...spent }: InputRun, program: Uint8Array): void {
  const { witness } = input
  const last = witness.at(-1) ?? brokenRule('the witness is empty')
  if (program.length === 20 && witness.length !== 2) return brokenRule('the witness needs a signature and a key')
  if (program.length === 32 && !isEqualBytes(sha256(last), program)) return brokenRule('the witness has another script')
  if (program.length !== 20 && program.length !== 32) return brokenRule('the witness program has an invalid length')
  const isKeyHash = program.length === 20
  if (isKeyHash && !isEqualBytes(hash160(last), program)) return brokenRule('the witness has another key')
  const script = isKeyHash ? keyHashScript(program) : last
  const values = isKeyHash ? witness : witness.slice(0, -1)
  assertShort(values)
  const isSigned = createEcdsaChecker(() => hashForWitness(spent, script), true, evaluation)
  assertOnlyTrue(runScript({ kind: 'witness', script, isSigned, locks, evaluation }, values))
}

function keyHashScript(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x76, 0xa9, 0x14), hash, Uint8Array.of(0x88, 0xac))
}

/** Values of a witness are limited to 520 bytes, apart from its script. */
function assertShort(values: readonly Uint8Array[]): void {
  if (values.some(({ length }) => length > 520)) brokenRule('a value of the witness is too long')
}
