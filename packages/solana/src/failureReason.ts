const longest = 200

/**
 * Why a transaction failed, in what its programs said last; else what the network calls the error.
 *
 * @param logs what the programs said
 */
export function failureReason(logs: unknown, error: unknown): string {
  const lines = Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : []
  const failed = lines.findLastIndex((line) => / failed: /.test(line))
  const [before = '', last = ''] = failed === -1 ? [] : [lines[failed - 1], lines[failed]]
  const told = /^Program \w+ (?:invoke|consumed|success)/.test(before) ? '' : before.replace(/^Program log: /, '')
  const named = last.replace(/^.* failed: /, '')
  const reason = [told, named].filter((part) => part !== '').join(': ')
  return (reason === '' ? nameOf(error) : reason).slice(0, longest)
}

/** The name that Solana gives an error: `InsufficientFundsForFee`, `InstructionError: InvalidArgument`. */
function nameOf(error: unknown): string {
  if (error instanceof Error) return error.message
  if (typeof error !== 'object' || error === null) return String(error)
  return Object.entries(error)
    .map(([name, inner]) => `${name}: ${Array.isArray(inner) ? inner.map(nameOf).join(' ') : nameOf(inner)}`)
    .join(', ')
}
