import { h } from './dom.ts'

/**
 * A site's origin, as it is and whole, with the part that names its owner emphasised: the last two labels of its host. It
 * is in ASCII, since that is how browsers tell origins, so letters that look alike do not.
 *
 * @example originLine('https://app.example.org') // https://app.<strong>example.org</strong>
 */
export function originLine(origin: string): HTMLElement {
  const { scheme, before, owner, after } = partsOf(origin)
  return h('p', { class: 'origin' }, scheme + before, h('strong', {}, owner), after)
}

/** Cuts an origin for showing. Addresses of machines are emphasised whole. */
export function partsOf(origin: string): { scheme: string; before: string; owner: string; after: string } {
  const { protocol, hostname, port } = new URL(origin)
  const labels = hostname.split('.')
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  const owned = isAddress ? hostname : labels.slice(-2).join('.')
  return {
    scheme: `${protocol}//`,
    before: hostname.slice(0, hostname.length - owned.length),
    owner: owned,
    after: port === '' ? '' : `:${port}`,
  }
}
