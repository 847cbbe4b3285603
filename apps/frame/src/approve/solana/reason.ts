const longest = 200

/** Why a transaction failed: what its programs said last, else what the network calls the error. */
export function reasonOf(logs: unknown, failure: unknown): string {
  const lines: readonly unknown[] = Array.isArray(logs) ? logs : []
  const texts = lines.filter((line) => typeof line === 'string')
  const failed = texts.findLastIndex((line) => / failed: /.test(line))
  const before = failed < 1 ? '' : (texts[failed - 1] ?? '')
  const told = before.startsWith('Program log: ') ? before.slice('Program log: '.length) : ''
  const named = failed === -1 ? nameOf(failure) : (texts[failed] ?? '').replace(/^.* failed: /, '')
  return (told === '' ? named : told)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, longest)
}

function nameOf(failure: unknown): string {
  return typeof failure === 'string' ? failure : (JSON.stringify(failure) ?? 'unknown reason')
}
