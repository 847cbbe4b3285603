/** An error as the log has it. */
export type LoggedError = {
  type: string
  message: string
  /** The code of PostgreSQL, of Node.js or of ours. */
  code: string | undefined
  stack: string
  cause: LoggedError | undefined
}

const maxCauses = 4

/**
 * Describes an error for the log. Other properties of errors are left out: PostgreSQL puts the values of a row into `detail`,
 * and HTTP libraries put the request with its headers into the error.
 */
export function describeError(error: unknown, causes = maxCauses): LoggedError {
  if (!(error instanceof Error)) {
    return { type: typeof error, message: 'not an error', code: undefined, stack: '', cause: undefined }
  }
  const code: unknown = Reflect.get(error, 'code')
  return {
    type: error.name,
    message: error.message,
    code: typeof code === 'string' ? code : undefined,
    stack: error.stack ?? '',
    cause: error.cause === undefined || causes === 0 ? undefined : describeError(error.cause, causes - 1),
  }
}
