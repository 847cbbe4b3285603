/**
 * Calls a function later.
 *
 * @returns a function that cancels the call
 */
export function schedule(act: () => void, milliseconds: number): () => void {
  const timer = setTimeout(act, milliseconds)
  return () => clearTimeout(timer)
}
