/** The expectations of one file's headers. */
export type HeaderExpectations = {
  /** Path in the manifest. */
  readonly path: string
  /** Origins of the services in the page's configuration. */
  readonly services: readonly string[]
}

const none = `'none'`
const self = `'self'`

const exact: Readonly<Record<string, string>> = {
  'default-src': none,
  'style-src': self,
  'worker-src': self,
  'frame-src': none,
  'object-src': none,
  'base-uri': none,
  'form-action': none,
  'require-trusted-types-for': `'script'`,
  'trusted-types': 'latchkey',
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Only the embedded page may have ancestors. */
const embeddedPage = 'sdk/index.html'
const isolatedPage = /^(?:account|export)\//
/** The only files that compile WebAssembly connect to nothing. */
const keyDerivation = /^assets\/kdf-[^/]*\.js$/

/**
 * Finds headers of a file that weaken the frame's protection.
 *
 * @returns one sentence for each problem
 */
export function findHeaderProblems(headers: Headers, { path, services }: HeaderExpectations): readonly string[] {
  const ending = path.split('.').at(-1) ?? ''
  const type = types[ending]
  const found = headers.get('content-type')?.toLowerCase()
  return [
    ...(type !== undefined && found !== type ? [`content-type is ${found ?? 'missing'} instead of ${type}`] : []),
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['x-content-type-options is not nosniff']),
    ...['refresh', 'link', 'service-worker-allowed', 'set-cookie', 'access-control-allow-origin']
      .filter((name) => headers.has(name))
      .map((name) => `${name} is set`),
    ...(isolatedPage.test(path) && headers.get('cross-origin-opener-policy') !== 'same-origin'
      ? ['cross-origin-opener-policy is not same-origin']
      : []),
    ...findPolicyProblems(headers.get('content-security-policy') ?? '', { path, services }),
  ]
}

function findPolicyProblems(policy: string, { path, services }: HeaderExpectations): readonly string[] {
  const directives = parsePolicy(policy)
  if (directives === undefined) return ['content-security-policy repeats a directive']
  const isKeyDerivation = keyDerivation.test(path)
  const expected: Record<string, string> = {
    ...exact,
    'script-src': isKeyDerivation ? `${self} 'wasm-unsafe-eval'` : self,
    ...(isKeyDerivation && { 'connect-src': none }),
    ...(path !== embeddedPage && { 'frame-ancestors': none }),
  }
  const different = Object.entries(expected)
    .filter(([name, value]) => directives.get(name) !== value)
    .map(
      ([name, value]) => `content-security-policy: ${name} is ${directives.get(name) ?? 'missing'} instead of ${value}`,
    )
  const foreign = sourcesOf(directives.get('connect-src')).filter((source) => !services.includes(source))
  const ancestors = directives.get('frame-ancestors')
  return [
    ...different,
    ...(isKeyDerivation || directives.has('connect-src') ? [] : ['content-security-policy: connect-src is missing']),
    ...(isKeyDerivation ? [] : foreign.map((source) => `content-security-policy: connect-src allows ${source}`)),
    ...(ancestors === undefined || sourcesOf(ancestors).some(isAnyOrigin)
      ? [`content-security-policy: frame-ancestors is ${ancestors ?? 'missing'}`]
      : []),
  ]
}

/** Browsers ignore a repeated directive, but joined headers of two policies look like one policy. */
function parsePolicy(policy: string): ReadonlyMap<string, string> | undefined {
  const entries = policy
    .split(/[;,]/)
    .map((directive) => directive.trim().replaceAll(/\s+/g, ' '))
    .filter((directive) => directive !== '')
    .map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name.toLowerCase(), sources.join(' ')] as const
    })
  const directives = new Map(entries)
  return directives.size === entries.length ? directives : undefined
}

function sourcesOf(value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : value.split(' ')
}

/** `*`, `https:` and `https://*` match every page. */
function isAnyOrigin(source: string): boolean {
  return source === '*' || /^[a-z][a-z0-9+.-]*:(?:\/\/\*)?$/i.test(source)
}
