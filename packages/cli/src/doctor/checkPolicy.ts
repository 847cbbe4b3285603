import type { Finding } from './finding.ts'

/** A page and its services. */
export type PolicyTargets = { page: string; relay?: string; server?: string; frame?: string; rpc?: string }

const directiveNames = { relay: 'connect-src', server: 'connect-src', rpc: 'connect-src', frame: 'frame-src' } as const
const serviceNames = { relay: 'relay', server: 'data service', rpc: 'node', frame: 'frame of the embedded wallet' }

/** Finds what a content security policy blocks. */
export function checkPolicy(policy: string, { page, ...services }: PolicyTargets): readonly Finding[] {
  const directives = readDirectives(policy)
  const blocked = (['relay', 'server', 'rpc', 'frame'] as const).flatMap((service): Finding[] => {
    const url = services[service]
    if (url === undefined) return []
    const directive = directiveNames[service]
    if (isAllowed(directives, directive, url, page)) return []
    return [
      {
        severity: 'problem',
        text: `The content security policy blocks the ${serviceNames[service]} ${new URL(url).origin === 'null' ? url : serviceOrigin(url)}.`,
        advice: `Add ${serviceOrigin(url)} to ${directive}.`,
      },
    ]
  })
  return blocked.length > 0 ? blocked : [{ severity: 'ok', text: 'The content security policy allows the services.' }]
}

type Directives = ReadonlyMap<string, readonly string[]>

/** Reads a policy. Of directives with the same name, the first one applies (CSP Level 3). */
function readDirectives(policy: string): Directives {
  const directives = new Map<string, readonly string[]>()
  for (const part of policy.split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s+/)
    if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources)
  }
  return directives
}

function isAllowed(directives: Directives, directive: string, url: string, page: string): boolean {
  const fallbacks = directive === 'frame-src' ? ['frame-src', 'child-src', 'default-src'] : [directive, 'default-src']
  const sources = fallbacks.map((name) => directives.get(name)).find((found) => found !== undefined)
  return sources === undefined || sources.some((source) => isMatch(source, new URL(url), new URL(page)))
}

/** Matches a source expression. `ws:` counts as the scheme of `http:`, and `wss:` as that of `https:`. */
function isMatch(source: string, url: URL, page: URL): boolean {
  if (source === '*') return true
  if (source === "'self'") return url.host === page.host && isSecure(url) === isSecure(page)
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return url.protocol === source.toLowerCase() || isUpgrade(source, url)
  const [, scheme, host = '', port, path] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^:/]+)(?::(\d+|\*))?(\/.*)?$/i.exec(source) ?? []
  if (scheme !== undefined && `${scheme}:` !== url.protocol && !isUpgrade(`${scheme}:`, url)) return false
  const isHost = host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : host === url.hostname
  const isPort = port === '*' || (port ?? '') === url.port || (port === undefined && url.port === '')
  const isPath = path === undefined || (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path)
  return isHost && isPort && isPath
}

/** An `http:` source also allows `https:`, `ws:` and `wss:`; an `https:` source also allows `wss:` (CSP Level 3). */
function isUpgrade(scheme: string, { protocol }: URL): boolean {
  if (scheme === 'http:') return ['https:', 'ws:', 'wss:'].includes(protocol)
  return (scheme === 'https:' && protocol === 'wss:') || (scheme === 'ws:' && protocol === 'wss:')
}

function isSecure({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'wss:'
}

/** `URL.origin` is `null` for WebSocket addresses in some runtimes. */
function serviceOrigin(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
