import { h } from './h.ts'

/** An origin in three parts. The domain identifies the owner: `https://shop.` `example.com` `:8443`. */
export type DisplayedOrigin = { readonly before: string; readonly domain: string; readonly after: string }

/** Suffixes below which anyone can register a name. The owner's label is one level further down. */
const secondLevels =
  /\.(?:co|com|net|org|ac|gov|edu|ne|or|go)\.[a-z]{2}$|\.(?:github|gitlab)\.io$|\.(?:vercel|web|pages)\.(?:app|dev)$/

/**
 * Shows a site's full origin with its domain emphasised. Browsers report origins in ASCII, which prevents look-alike
 * letters.
 *
 * @example originLine('https://app.example.org') // https://app.<strong>example.org</strong>
 */
export function originLine(origin: string): HTMLElement {
  const { before, domain, after } = displayedOrigin(origin)
  return h('p', { class: 'origin' }, before, h('strong', {}, domain), after)
}

/** Splits an origin for display. IP addresses and invalid origins stay whole. */
export function displayedOrigin(origin: string): DisplayedOrigin {
  if (!URL.canParse(origin)) return { before: '', domain: origin, after: '' }
  const { protocol, hostname, port } = new URL(origin)
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  const count = secondLevels.test(hostname) ? 3 : 2
  const domain = isAddress ? hostname : hostname.split('.').slice(-count).join('.')
  return {
    before: `${protocol}//${hostname.slice(0, hostname.length - domain.length)}`,
    domain,
    after: port === '' ? '' : `:${port}`,
  }
}
