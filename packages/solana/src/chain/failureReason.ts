const longestReason = 200

/**
 * Explains why a transaction failed: the last log message of its programs, or else the network's name of the error.
 *
 * @param logs the log lines of the programs
 * @param error the network's error
 */
export function getFailureReason(logs: unknown, error: unknown): string {
  const lines = Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : []
  const failed = lines.findLastIndex((line) => / failed: /.test(line))
  const [before = '', last = ''] = failed === -1 ? [] : [lines[failed - 1], lines[failed]]
  const message = /^Program \w+ (?:invoke|consumed|success)/.test(before) ? '' : before.replace(/^Program log: /, '')
  const named = last.replace(/^.* failed: /, '')
  const reason = [message, named].filter((part) => part !== '').join(': ')
  return (reason === '' ? formatErrorName(error) : reason).slice(0, longestReason)
}

/** Formats Solana's name of an error: `InsufficientFundsForFee`, `InstructionError: InvalidArgument`. */
function formatErrorName(error: unknown): string {
  if (error instanceof Error) return error.message
  if (typeof error !== 'object' || error === null) return String(error)
  return Object.entries(error)
    .map(
      ([name, inner]) =>
        `${name}: ${Array.isArray(inner) ? inner.map(formatErrorName).join(' ') : formatErrorName(inner)}`,
    )
    .join(', ')
}
