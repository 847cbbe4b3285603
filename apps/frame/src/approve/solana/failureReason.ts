const longest = 200

/** Returns why a transaction failed: the last log of its programs, or the network's name of the error. */
export function failureReason(logs: unknown, failure: unknown): string {
  const lines: readonly unknown[] = Array.isArray(logs) ? logs : []
  const texts = lines.filter((line) => typeof line === 'string')
  const failed = texts.findLastIndex((line) => / failed: /.test(line))
  const before = failed < 1 ? '' : (texts[failed - 1] ?? '')
  const logged = before.startsWith('Program log: ') ? before.slice('Program log: '.length) : ''
  const named = failed === -1 ? programName(failure) : (texts[failed] ?? '').replace(/^.* failed: /, '')
  return (logged === '' ? named : logged)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, longest)
}

function programName(failure: unknown): string {
  return typeof failure === 'string' ? failure : (JSON.stringify(failure) ?? 'unknown reason')
}
