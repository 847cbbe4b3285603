import { describe, expect, test } from 'vitest'
import { describeStorage } from '../testing/describeStorage.ts'
import { cookieStorage, selectCookies, type CookieJar } from './cookieStorage.ts'

/** Behaves like `document.cookie`: an assignment sets one cookie, a read returns all. */
function fakeCookieJar(longest = 4_096): CookieJar & { written: string[] } {
  const cookies = new Map<string, string>()
  const written: string[] = []
  return {
    written,
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(text: string) {
      written.push(text)
      const [pair = '', ...attributes] = text.split(';').map((part) => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      if (attributes.includes('max-age=0')) cookies.delete(name)
      else if (pair.length <= longest) cookies.set(name, pair.slice(name.length + 1))
    },
  }
}

describeStorage('cookieStorage', () => ({ storage: cookieStorage(fakeCookieJar()) }))

describe('cookies', () => {
  test('are written with path / and SameSite Lax, including on removal [R3.17]', () => {
    const jar = fakeCookieJar()
    const storage = cookieStorage(jar)
    storage.setItem('@latchkey/key', 'value')
    storage.removeItem('@latchkey/key')
    expect(jar.written).toHaveLength(2)
    for (const cookie of jar.written) expect(cookie).toMatch(/; path=\/; SameSite=Lax(;|$)/)
  })

  test('are read from a request on a server [R3.17]', () => {
    const storage = cookieStorage({
      cookie: 'session=1; %40latchkey%2Factive_network=%22eip155%3A1%22; other=%E0%A4%A',
    })
    expect(storage.getItem('@latchkey/active_network')).toBe('"eip155:1"')
    expect(storage.getItem('other')).toBeUndefined()
    expect(storage.getItem('@latchkey/active')).toBeUndefined()
  })

  test('of other features are not selected for the page', () => {
    const jar = fakeCookieJar()
    const storage = cookieStorage(jar)
    storage.setItem('session', 'secret')
    storage.setItem('@latchkey/active_network', 'eip155:1')
    storage.setItem('theme', 'dark')
    storage.setItem('my@latchkey/key', 'secret')
    const cookie = selectCookies(jar.cookie)
    expect(cookie).not.toContain('secret')
    const selected = cookieStorage({ cookie })
    expect(selected.getItem('@latchkey/active_network')).toBe('eip155:1')
    expect(selected.getItem('theme')).toBe('dark')
    expect([selectCookies(null), selectCookies('session=1')]).toEqual(['', ''])
  })

  test('that the browser drops cause an error', () => {
    const storage = cookieStorage(fakeCookieJar(100))
    storage.setItem('@latchkey/short', 'value')
    expect(() => storage.setItem('@latchkey/long', 'x'.repeat(200))).toThrow(
      expect.objectContaining({ code: 'storage/unavailable' }),
    )
    expect(storage.getItem('@latchkey/short')).toBe('value')
  })
})
