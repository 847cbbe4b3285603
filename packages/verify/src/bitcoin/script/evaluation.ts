/** The progress of one verification, shared by the scripts of all inputs. */
export type Evaluation = {
  /** The number of signatures that may still be checked, so that hostile input takes a bounded time. */
  signatures: number
  /** The number of operations that may still be run. */
  operations: number
  /** False once a script used a rule that is reserved for upgrades, or exceeded a limit of ours. */
  isConclusive: boolean
}

/** Limits that no usual script reaches. */
export function createEvaluation(): Evaluation {
  return { signatures: 400, operations: 20_000, isConclusive: true }
}

/** Ends an evaluation that takes too long. The result is inconclusive. */
export class LimitExceededError extends Error {}

/**
 * Takes one unit of a limit.
 *
 * @throws LimitExceededError if none is left
 */
export function spendOne(evaluation: Evaluation, limit: 'signatures' | 'operations'): void {
  if (evaluation[limit] <= 0) throw new LimitExceededError(`Script: more ${limit} than this verifier runs`)
  evaluation[limit] -= 1
}
