/**
 * Checks an origin against an allow-list. Both are compared as text: browsers report origins in one canonical form, so
 * a look-alike never matches.
 *
 * @param allowed entries `scheme://host[:port]`. `*.` stands for one whole leading label, `:*` for any port. The
 *   default scheme is https.
 */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  return allowed.some((pattern) => patternOf(pattern).test(origin))
}

function patternOf(entry: string): RegExp {
  const full = /^[a-z][a-z0-9+.-]*:\/\//.test(entry) ? entry : `https://${entry}`
  const [, scheme = '', wild = '', host = '', port = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)(\*\.)?([^/*:]+|\[[0-9a-f:]+\])(:\*|:\d+)?\/?$/.exec(full) ?? []
  // A malformed entry matches nothing.
  if (host === '') return /^(?!)/
  const label = wild === '' ? '' : '[^./:]+\\.'
  const ports = port === ':*' ? '(?::\\d+)?' : port
  return new RegExp(`^${escapeRegExp(scheme)}${label}${escapeRegExp(host)}${ports}$`)
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
