import type { ServerResponse } from 'node:http'

/** The exceptions of a site's content security policy, which otherwise allows only own files. */
export type PolicyExceptions = {
  connect?: readonly string[]
  images?: readonly string[]
  frames?: readonly string[]
  /** The sources of inline styles, for example `'sha256-…'`. */
  styles?: readonly string[]
  /** Names of the Trusted Types policies that the page may create. */
  trustedTypes?: readonly string[]
}

/** The headers of a strict content security policy: no inline scripts or styles, Trusted Types on. */
export function strictHeaders({
  connect = [],
  images = [],
  frames = [],
  styles = [],
  trustedTypes = [],
}: PolicyExceptions): Readonly<Record<string, string>> {
  const policy = [
    `default-src 'none'`,
    `script-src 'self'`,
    ['style-src', `'self'`, ...styles].join(' '),
    ['img-src', `'self'`, 'data:', 'blob:', ...images].join(' '),
    ['connect-src', `'self'`, ...connect].join(' '),
    ['frame-src', ...(frames.length === 0 ? [`'none'`] : frames)].join(' '),
    `font-src 'none'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    ['trusted-types', ...(trustedTypes.length === 0 ? [`'none'`] : trustedTypes)].join(' '),
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
}

/** Files with a hash in their name never change. */
export function setFileLifetime(response: ServerResponse, path: string): void {
  const isHashed = path.startsWith('/assets/')
  response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
}

/** Ends a response with a sentence. */
export function endWithText(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(sentence)
}
