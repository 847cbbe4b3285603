/**
 * Runs code of a wallet that may throw.
 *
 * @returns the result, or `undefined` if it threw
 * @example const key = tryOrUndefined(() => base58.decode(address))
 */
export function tryOrUndefined<result>(act: () => result): result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
