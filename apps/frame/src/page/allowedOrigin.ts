/**
 * Whether an origin is one of an allow-list. Both are compared as they are written: an origin that the browser tells is in
 * its one normal form, so whatever only looks like an entry is none.
 *
 * @param allowed `scheme://host[:port]`; `*.` for one whole leading label, `:*` for any port, https where there is no scheme
 */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  return allowed.some((pattern) => patternOf(pattern).test(origin))
}

function patternOf(entry: string): RegExp {
  const full = /^[a-z][a-z0-9+.-]*:\/\//.test(entry) ? entry : `https://${entry}`
  const [, scheme = '', wild = '', host = '', port = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)(\*\.)?([^/*:]+|\[[0-9a-f:]+\])(:\*|:\d+)?\/?$/.exec(full) ?? []
  // An entry that cannot be read lets nobody in.
  if (host === '') return /^(?!)/
  const label = wild === '' ? '' : '[^./:]+\\.'
  const ports = port === ':*' ? '(?::\\d+)?' : port
  return new RegExp(`^${escaped(scheme)}${label}${escaped(host)}${ports}$`)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
