import { ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { isEqualBytes } from '../../bytes.ts'
import { hash160 } from '../taggedHash.ts'
import { brokenRule } from './brokenRule.ts'
import { runArithmetic } from './arithmetic.ts'
import { spendOne } from './evaluation.ts'
import { isMinimalPush, parseOperations, type Operation } from './parseOperations.ts'
import { formatScriptNumber, isTruthy } from './scriptNumber.ts'
import { countOperation, type Machine, type ScriptRun } from './machine.ts'
import { runSignatureOperation } from './signatureOperations.ts'
import { createStack, stackOperations, type Stack } from './stack.ts'
import { assertLockTime, assertSequence } from './timeLocks.ts'

const maxPush = 520
const maxScript = 10_000
const maxValues = 1_000

/**
 * Runs a script with the consensus rules and the required rules of BIP-322.
 *
 * @param initial the stack before the script, from bottom to top
 * @returns the stack after the script
 * @throws if the script fails
 */
export function runScript(run: ScriptRun, initial: readonly Uint8Array[]): Stack {
  const isTapscript = run.kind === 'tapscript'
  if (!isTapscript && run.script.length > maxScript) return brokenRule('the script is too long')
  const machine: Machine = {
    ...run,
    stack: createStack(initial),
    alternate: createStack([]),
    branches: [],
    counted: 0,
  }
  for (const operation of parseOperations(run.script)) {
    spendOne(run.evaluation, 'operations')
    if (!isTapscript && operation.opcode > 0x60) countOperation(machine, 1)
    runOperation(machine, operation)
    if (machine.stack.size + machine.alternate.size > maxValues) return brokenRule('the stack has too many values')
  }
  return machine.branches.length === 0 ? machine.stack : brokenRule('an OP_IF has no end')
}

/** Opcodes that were disabled, and OP_VERIF and OP_VERNOTIF. They are invalid even in a branch that does not run. */
const forbidden = new Set([
  0x65, 0x66, 0x7e, 0x7f, 0x80, 0x81, 0x83, 0x84, 0x85, 0x86, 0x8d, 0x8e, 0x95, 0x96, 0x97, 0x98, 0x99, 0xab,
])

function runOperation(machine: Machine, operation: Operation): void {
  const { opcode, data } = operation
  if (data !== undefined && data.length > maxPush) return brokenRule('a value is too long')
  // OP_CODESEPARATOR (0xab) is among them: BIP-322 forbids it.
  if (forbidden.has(opcode)) return brokenRule('an operation is forbidden')
  if (opcode >= 0x63 && opcode <= 0x68) return runBranch(machine, opcode)
  if (machine.branches.includes(false)) return
  if (!isMinimalPush(operation)) return brokenRule('a push is not minimal')
  if (data !== undefined) return machine.stack.push(data)
  const moveValues = stackOperations[opcode]
  if (moveValues !== undefined) return moveValues(machine.stack)
  if (opcode === 0x4f || (opcode >= 0x51 && opcode <= 0x60)) {
    return machine.stack.push(formatScriptNumber(opcode - 0x50))
  }
  if (opcode >= 0xac && opcode <= 0xaf) return runSignatureOperation(machine, opcode)
  if (opcode >= 0xb0) return runUpgrade(machine, opcode)
  runValueOperation(machine, opcode)
}

/** OP_IF, OP_NOTIF, OP_ELSE and OP_ENDIF. */
function runBranch({ stack, branches }: Machine, opcode: number): void {
  const isRunning = !branches.includes(false)
  if (opcode === 0x63 || opcode === 0x64) {
    branches.push(isRunning && takeCondition(stack) === (opcode === 0x63))
    return
  }
  const last = branches.pop() ?? brokenRule('an OP_ELSE or OP_ENDIF has no OP_IF')
  if (opcode === 0x67) branches.push(!last)
}

/** Takes the condition of an OP_IF, which has one encoding (MINIMALIF). */
function takeCondition(stack: Stack): boolean {
  const value = stack.take()
  const isOne = value.length === 1 && value[0] === 0x01
  return isOne || value.length === 0 ? isOne : brokenRule('a condition is not minimal')
}

const hashes: { readonly [opcode in number]?: (bytes: Uint8Array) => Uint8Array } = {
  0xa6: ripemd160,
  0xa7: sha1,
  0xa8: sha256,
  0xa9: hash160,
  0xaa: (bytes) => sha256(sha256(bytes)),
}

function runValueOperation({ stack, alternate }: Machine, opcode: number): void {
  const hash = hashes[opcode]
  if (hash !== undefined) return stack.push(hash(stack.take()))
  switch (opcode) {
    case 0x61: // OP_NOP
      return
    case 0x69: // OP_VERIFY
      return assertTruthy(stack.take())
    case 0x6b: // OP_TOALTSTACK
      return alternate.push(stack.take())
    case 0x6c: // OP_FROMALTSTACK
      return stack.push(alternate.take())
    case 0x87: // OP_EQUAL
      return stack.push(formatScriptNumber(Number(isEqualBytes(stack.take(), stack.take()))))
    case 0x88: // OP_EQUALVERIFY
      return isEqualBytes(stack.take(), stack.take()) ? undefined : brokenRule('two values differ')
    default:
      return runArithmetic(stack, opcode)
  }
}

function assertTruthy(value: Uint8Array): void {
  if (!isTruthy(value)) brokenRule('a condition is false')
}

/** The operations that replaced an OP_NOP, and those that still wait for an upgrade. */
function runUpgrade(machine: Machine, opcode: number): void {
  const { stack, locks, evaluation } = machine
  if (opcode === 0xb1) return assertLockTime(stack.peek(), locks)
  if (opcode === 0xb2) return assertSequence(stack.peek(), locks)
  if (opcode === 0xba && machine.kind === 'tapscript') return runSignatureOperation(machine, opcode)
  if (opcode > 0xb9) return brokenRule('an operation is unknown')
  evaluation.isConclusive = false
}
