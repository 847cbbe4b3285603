import { h } from './dom.ts'

/** An origin in parts, of which the domain is who it is: `https://shop.` `example.com` `:8443`. */
export type OriginParts = { readonly before: string; readonly domain: string; readonly after: string }

/** Where names are handed out one level further down; the two last labels are nobody's name there. */
const secondLevels =
  /\.(?:co|com|net|org|ac|gov|edu|ne|or|go)\.[a-z]{2}$|\.(?:github|gitlab)\.io$|\.(?:vercel|web|pages)\.(?:app|dev)$/

/**
 * A site's origin, as it is and whole, with the part that names its owner emphasised. It is in ASCII, since that is how
 * browsers tell origins, so letters that look alike do not.
 *
 * @example originLine('https://app.example.org') // https://app.<strong>example.org</strong>
 */
export function originLine(origin: string): HTMLElement {
  const { before, domain, after } = partsOf(origin)
  return h('p', { class: 'origin' }, before, h('strong', {}, domain), after)
}

/** Cuts an origin for showing. Addresses of machines are one part, and so is what is no origin. */
export function partsOf(origin: string): OriginParts {
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
