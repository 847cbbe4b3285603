import { brokenRule } from './brokenRule.ts'
import type { Evaluation } from './evaluation.ts'
import type { SignatureChecker } from './signatureChecker.ts'
import type { Stack } from './stack.ts'
import type { TimeLocks } from './timeLocks.ts'

/** The rules differ between a script without a witness, a witness of version 0, and a Tapscript. */
export type ScriptKind = 'legacy' | 'witness' | 'tapscript'

/** A script with everything that it can ask about its transaction. */
export type ScriptRun = {
  readonly kind: ScriptKind
  readonly script: Uint8Array
  readonly isSigned: SignatureChecker
  readonly locks: TimeLocks
  readonly evaluation: Evaluation
}

/** The state of a running script. */
export type Machine = ScriptRun & {
  readonly stack: Stack
  readonly alternate: Stack
  /** One entry per open `OP_IF`: whether its current branch runs. */
  readonly branches: boolean[]
  /** The number of operations that count towards the limit of scripts before Tapscript. */
  counted: number
}

const maxCounted = 201

/** Counts operations towards the limit of a script before Tapscript. */
export function countOperation(machine: Machine, count: number): void {
  machine.counted += count
  if (machine.counted > maxCounted) brokenRule('the script has too many operations')
}
