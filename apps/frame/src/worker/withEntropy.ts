/**
 * Reads the entropy of the wallet for one action, and overwrites it afterwards.
 *
 * @returns the result of the action
 */
export async function withEntropy<result>(
  { entropy }: { entropy(): Promise<Uint8Array> },
  act: (entropy: Uint8Array) => Promise<result>,
): Promise<result> {
  const secret = await entropy()
  try {
    return await act(secret)
  } finally {
    secret.fill(0)
  }
}
