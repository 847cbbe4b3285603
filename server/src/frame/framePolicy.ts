/** Where the site's own scripts may ask. */
export type FrameAddresses = { readonly auth: string; readonly shares: string; readonly server: string }

const never = `'none'`

/**
 * The headers of one of the site's files.
 *
 * @param ancestors who may frame it; nobody when empty
 */
export function frameHeaders(
  path: string,
  { auth, shares, server }: FrameAddresses,
  ancestors: readonly string[],
): Readonly<Record<string, string>> {
  const isPage = path.endsWith('.html')
  // Only what stretches passwords compiles WebAssembly, and it has nobody to talk to.
  const stretches = /^assets\/kdf-[^/]*\.js$/.test(path)
  const asked = stretches ? [never] : [...new Set([auth, shares, server].map((url) => new URL(url).origin))]
  const policy = [
    `default-src ${never}`,
    stretches ? `script-src 'self' 'wasm-unsafe-eval'` : `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `connect-src ${asked.join(' ')}`,
    `worker-src 'self'`,
    `frame-src ${never}`,
    `object-src ${never}`,
    `base-uri ${never}`,
    `form-action ${never}`,
    `frame-ancestors ${ancestors.length === 0 ? never : ancestors.join(' ')}`,
    `require-trusted-types-for 'script'`,
    // Workers are started by an address: one policy, which lets through addresses of this site's own files.
    `trusted-types latchkey`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin',
    'origin-agent-cluster': '?1',
    'strict-transport-security': 'max-age=63072000',
    'permissions-policy': `publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), ${off}`,
    ...(isPage
      ? { 'cache-control': 'no-store' }
      : { 'cache-control': 'public, max-age=31536000, immutable', 'cross-origin-resource-policy': 'same-origin' }),
  }
}

const off = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial', 'hid', 'display-capture']
  .map((feature) => `${feature}=()`)
  .join(', ')

/**
 * An entry of an allow-list as a source of a content policy. Without a scheme only https counts: what speaks to keys is
 * not sent in the clear.
 */
export function ancestorSource(pattern: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(pattern) ? pattern.replace(/\/$/, '') : `https://${pattern.replace(/\/$/, '')}`
}
