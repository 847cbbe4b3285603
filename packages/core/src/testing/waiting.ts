/** Runs all pending promise callbacks. */
export function flushTasks(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0))
}

/**
 * Returns the error of a rejected promise, or undefined. Call it early, so that no rejection is unhandled.
 *
 * @example
 * const failure = getRejection(connect(latchkey, 'fake'))
 * connector.reject()
 * expect(await failure).toMatchObject({ code: 'connection/rejected' })
 */
export async function getRejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
    return undefined
  } catch (error) {
    return error
  }
}
