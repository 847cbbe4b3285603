/** The addresses that the site's own scripts may connect to. */
export type FrameAddresses = {
  readonly auth: string
  readonly shares: string
  readonly server: string
  /** Absent if the deployment offers no login with Farcaster. */
  readonly farcasterRelay?: string | undefined
}

const none = `'none'`

/** The headers of the manifest and its signatures. They are public: any page and any tool may compare the site with them. */
export const documentHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
}

/** Top-level pages that no window may keep a reference to. A login there opens windows of its own, which need no opener. */
const isolatedPages = ['account/', 'export/']

/**
 * Returns the headers of a file of the frame's site.
 *
 * @param ancestors the sources that may embed the file; none may if empty
 */
export function frameHeaders(
  path: string,
  { auth, shares, server, farcasterRelay }: FrameAddresses,
  ancestors: readonly string[],
): Readonly<Record<string, string>> {
  const isPage = path.endsWith('.html')
  // Only the key derivation from passwords compiles WebAssembly, and it may connect to nothing.
  const isKeyDerivation = /^assets\/kdf-[^/]*\.js$/.test(path)
  const connectSources = isKeyDerivation
    ? [none]
    : [...new Set([auth, shares, server, farcasterRelay ?? server].map((url) => new URL(url).origin))]
  const policy = [
    `default-src ${none}`,
    isKeyDerivation ? `script-src 'self' 'wasm-unsafe-eval'` : `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `connect-src ${connectSources.join(' ')}`,
    `worker-src 'self'`,
    `frame-src ${none}`,
    `object-src ${none}`,
    `base-uri ${none}`,
    `form-action ${none}`,
    `frame-ancestors ${ancestors.length === 0 ? none : ancestors.join(' ')}`,
    `require-trusted-types-for 'script'`,
    // Workers are started by URL. The only policy accepts URLs of this site's own files.
    `trusted-types latchkey`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin',
    'origin-agent-cluster': '?1',
    'strict-transport-security': 'max-age=63072000',
    'permissions-policy': `publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), ${disabledFeatures}`,
    ...(isolatedPages.some((folder) => path.startsWith(folder)) && { 'cross-origin-opener-policy': 'same-origin' }),
    ...(isPage
      ? { 'cache-control': 'no-store' }
      : { 'cache-control': 'public, max-age=31536000, immutable', 'cross-origin-resource-policy': 'same-origin' }),
  }
}

const disabledFeatures = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial', 'hid', 'display-capture']
  .map((feature) => `${feature}=()`)
  .join(', ')

/**
 * Converts an entry of an allow-list to a source of a content security policy. Without a scheme only HTTPS is allowed, so that
 * key material never crosses an unencrypted connection.
 */
export function toAncestorSource(pattern: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(pattern) ? pattern.replace(/\/$/, '') : `https://${pattern.replace(/\/$/, '')}`
}
