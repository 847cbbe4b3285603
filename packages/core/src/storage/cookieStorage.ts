import { createErrors } from '@latchkey/protocol'
import type { Storage } from './storage.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'storage/unavailable': object
  }
}

const coreError = createErrors({
  'storage/unavailable': () => 'The browser stores nothing for this site, so the connection ends when the page closes.',
})

/** The keys of all values begin with the scope, except that of the theme. */
const ownCookie = /^(%40latchkey%2F|theme=)/

/** The part of `document` that cookies are read and written through. */
export type CookieJar = { cookie: string }

/**
 * Keeps values in cookies with `path=/` and `SameSite=Lax`, so that a server can render the state of the user.
 *
 * @param jar `document` in a page; on a server `{ cookie: request.headers.cookie ?? '' }`
 * @example createLatchkey({ adapters, storage: cookieStorage(document) })
 */
export function cookieStorage(jar: CookieJar): Storage {
  return {
    getItem(key) {
      const name = `${encodeURIComponent(key)}=`
      const found = jar.cookie.split('; ').find((cookie) => cookie.startsWith(name))
      return found === undefined ? undefined : decode(found.slice(name.length))
    },
    setItem(key, value) {
      const cookie = `${encodeURIComponent(key)}=${encodeURIComponent(value)}`
      jar.cookie = `${cookie}; path=/; SameSite=Lax; max-age=31536000`
      // A browser silently drops a cookie that is too long or not allowed.
      if (!jar.cookie.split('; ').includes(cookie)) throw coreError('storage/unavailable', {})
    },
    removeItem(key) {
      jar.cookie = `${encodeURIComponent(key)}=; path=/; SameSite=Lax; max-age=0`
    },
  }
}

/**
 * Returns the cookies of Latchkey in a header `Cookie`. A server that renders the page passes these to it for `cookieStorage`, and not the
 * whole header: others may be hidden from scripts (`HttpOnly`).
 *
 * @param header the value of the header; a request may have none
 * @returns the cookies in the form of a header, empty if there is none
 * @example const storage = cookieStorage({ cookie: selectCookies(headers.get('cookie')) })
 */
export function selectCookies(header: string | null | undefined): string {
  const cookies = (header ?? '').split('; ')
  return cookies.filter((cookie) => ownCookie.test(cookie)).join('; ')
}

/** Another site's cookie with our name may contain an invalid escape sequence. */
function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
