import { afterEach, describe, expect, test, vi } from 'vitest'
import { describeStorage } from '../testing/describeStorage.ts'
import { pageStorage } from './pageStorage.ts'

/** The part of `window` that the storage uses. */
function fakeWindow(): { window: EventTarget & { localStorage: unknown }; values: Map<string, string> } {
  const values = new Map<string, string>()
  const localStorage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
  return { window: Object.assign(new EventTarget(), { localStorage }), values }
}

/** The event that a browser sends when another page wrote to the storage. */
function storageEvent(key: string | null, newValue: string | null): Event {
  return Object.assign(new Event('storage'), { key, newValue })
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describeStorage('pageStorage in a page', () => {
  const { window } = fakeWindow()
  vi.stubGlobal('window', window)
  return {
    storage: pageStorage(),
    otherTab: {
      setItem: (key, value) => void window.dispatchEvent(storageEvent(key, value)),
      removeItem: (key) => void window.dispatchEvent(storageEvent(key, null)),
    },
  }
})

describeStorage('pageStorage on a server', () => ({ storage: pageStorage() }))

describe('pageStorage', () => {
  test('throws on write, and only then, when the browser blocks storage', () => {
    const window = new EventTarget()
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    vi.stubGlobal('window', window)
    const storage = pageStorage()
    expect(() => storage.setItem('@latchkey/key', 'value')).toThrow('denied')
  })

  test('ignores the clear event, which has no key', () => {
    const { window } = fakeWindow()
    vi.stubGlobal('window', window)
    const events: string[] = []
    const stop = pageStorage().subscribe?.((key) => events.push(key))
    window.dispatchEvent(storageEvent(null, null))
    stop?.()
    expect(events).toEqual([])
  })
})
