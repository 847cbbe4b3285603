/**
 * Ends the evaluation of a script.
 *
 * @throws always: the signature is invalid
 */
export function brokenRule(rule: string): never {
  throw new Error(`Script: ${rule}`)
}
