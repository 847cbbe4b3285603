/** Schemes that a browser runs or that belong to it. */
const unsafeScheme = /^(?:about|blob|data|file|https?|javascript|vbscript|chrome|intent):/i
const stores =
  /(?:apps\.apple|play\.google|chrome\.google|chromewebstore\.google|addons\.mozilla|testflight\.apple)\.com/

/**
 * Cleans a link into an app, such as `wallet://`.
 *
 * @param {string | null | undefined} link
 */
export function toDeepLink(link) {
  const [scheme = '', rest = ''] = (link ?? '').trim().split(/:(.*)/s)
  const cleaned = `${scheme.toLowerCase()}:${rest.replace(/^\/\/\/+/, '//').replace(/([^/])\/+$/, '$1')}`
  const isLink = /^[a-z][a-z0-9+.-]*:\/\/[\w./?=&:-]*$/.test(cleaned) && !unsafeScheme.test(cleaned)
  return isLink ? cleaned : undefined
}

/**
 * Returns a valid reverse-DNS name, otherwise `undefined`.
 *
 * @param {string | null | undefined} name
 */
export function toReverseDns(name) {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name ?? '') ? (name ?? undefined) : undefined
}

/**
 * Cleans the address of a page. Store pages and files are not accepted.
 *
 * @param {string | null | undefined} link
 */
export function toPage(link) {
  const url = toUrl(link)
  const isPage = url !== undefined && url.hostname.includes('.') && !stores.test(url.hostname)
  if (!isPage || /apple-app-site-association/.test(url.pathname)) return undefined
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`
}

/** @param {string | null | undefined} link */
export function toChromeStore(link) {
  const [, path = ''] =
    /^https:\/\/(?:chrome\.google\.com\/webstore|chromewebstore\.google\.com)\/detail\/([^?#]*)/.exec(link ?? '') ?? []
  const [, id] = /(?:^|\/)([a-p]{32})(?:\/|$)/.exec(path) ?? []
  return id === undefined ? undefined : `https://chromewebstore.google.com/detail/${id}`
}

/** @param {string | null | undefined} link */
export function toIosStore(link) {
  const [, id] = /^https:\/\/(?:apps|itunes)\.apple\.com\/.*?\/?(id\d+)/.exec(link ?? '') ?? []
  return id === undefined ? undefined : `https://apps.apple.com/app/${id}`
}

/** @param {string | null | undefined} link */
export function toAndroidStore(link) {
  const [, id] = /^https:\/\/play\.google\.com\/store\/apps\/details\?(?:.*&)?id=([\w.]+)/.exec(link ?? '') ?? []
  return id === undefined ? undefined : `https://play.google.com/store/apps/details?id=${id}`
}

/** @param {string | null | undefined} link */
function toUrl(link) {
  const text = (link ?? '').trim().replace(/^http:/, 'https:')
  return text.startsWith('https://') && URL.canParse(text) ? new URL(text) : undefined
}
