import { isEqualBytes } from '../../bytes.ts'
import { brokenRule } from './brokenRule.ts'
import { parseOperations } from './parseOperations.ts'
import { countOperation, type Machine } from './machine.ts'
import { formatScriptNumber } from './scriptNumber.ts'

const maxKeys = 20

/** Runs OP_CHECKSIG, OP_CHECKMULTISIG, their forms that verify, and OP_CHECKSIGADD. */
export function runSignatureOperation(machine: Machine, opcode: number): void {
  const { stack } = machine
  if (opcode === 0xba) return addSignature(machine)
  const isMultisig = opcode >= 0xae
  const isSigned = isMultisig ? isSignedByMany(machine) : isSignedByOne(machine)
  const mustVerify = opcode === 0xad || opcode === 0xaf
  if (!mustVerify) return stack.push(formatScriptNumber(Number(isSigned)))
  if (!isSigned) brokenRule('a signature is wrong')
}

function isSignedByOne({ kind, stack, script, isSigned }: Machine): boolean {
  const key = stack.take()
  const signature = stack.take()
  assertNotInScript(kind, script, [signature])
  // A failed signature must be empty (NULLFAIL).
  return isSigned(signature, key) || (signature.length > 0 && brokenRule('a signature is wrong'))
}

/** OP_CHECKSIGADD (BIP-342). */
function addSignature({ stack, isSigned }: Machine): void {
  const key = stack.take()
  const count = stack.takeNumber()
  stack.push(formatScriptNumber(count + Number(isSigned(stack.take(), key))))
}

function isSignedByMany(machine: Machine): boolean {
  const { kind, stack, script, isSigned } = machine
  if (kind === 'tapscript') return brokenRule('OP_CHECKMULTISIG is not part of Tapscript')
  const keys = popItems(machine, maxKeys)
  countOperation(machine, keys.length)
  const signatures = popItems(machine, keys.length)
  assertNotInScript(kind, script, signatures)
  // The operation takes one value too many, which must be empty (BIP-147).
  if (stack.take().length > 0) return brokenRule('the extra value of OP_CHECKMULTISIG is not empty')
  let found = 0
  for (const [at, key] of keys.entries()) {
    const signature = signatures[found]
    // Signatures have the order of their keys.
    if (signature === undefined || signatures.length - found > keys.length - at) break
    if (isSigned(signature, key)) found += 1
  }
  if (found === signatures.length) return true
  return signatures.some(({ length }) => length > 0) && brokenRule('a signature is wrong')
}

/** Takes a number, and that many values. The one at the top is first. */
function popItems({ stack }: Machine, most: number): readonly Uint8Array[] {
  const count = stack.takeNumber()
  if (count < 0 || count > most) return brokenRule('a number of keys or signatures is out of range')
  return Array.from({ length: count }, () => stack.take())
}

/**
 * A signature in its own script would have to be removed before hashing (FindAndDelete), which BIP-322 forbids. Witness
 * scripts don't have this rule.
 */
function assertNotInScript(kind: Machine['kind'], script: Uint8Array, signatures: readonly Uint8Array[]): void {
  // Empty signatures are not searched, so that each search uses up one of the signatures that a verification may check.
  if (kind !== 'legacy' || signatures.every(({ length }) => length === 0)) return
  const pushed = [...parseOperations(script)].flatMap(({ data }) => (data === undefined ? [] : [data]))
  const isInScript = signatures.some((each) => each.length > 0 && pushed.some((data) => isEqualBytes(data, each)))
  if (isInScript) brokenRule('a signature is part of its script')
}
