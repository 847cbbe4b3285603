/** Lets everything run that waits for promises and for nothing else. */
export function settled(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0))
}

/**
 * What a promise fails with; undefined when it does not. Taken early, so that no rejection is ever without a handler.
 *
 * @example
 * const failure = failureOf(connect(latchkey, 'fake'))
 * connector.reject()
 * expect(await failure).toMatchObject({ code: 'connection/rejected' })
 */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
    return undefined
  } catch (error) {
    return error
  }
}
