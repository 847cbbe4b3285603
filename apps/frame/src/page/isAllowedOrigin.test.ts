import { describe, expect, test } from 'vitest'
import { isAllowedOrigin } from './isAllowedOrigin.ts'

describe('the allow-list of origins', () => {
  test.each([
    ['https://app.example', 'app.example'],
    ['https://app.example', 'https://app.example'],
    ['https://app.example', 'https://app.example/'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://localhost:3000', 'http://localhost:*'],
    ['http://localhost', 'http://localhost:*'],
    ['https://one.wild.example', '*.wild.example'],
    ['https://one.wild.example:8443', 'https://*.wild.example:*'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://[::1]', 'http://[::1]'],
    ['chrome-extension://abcdef', 'chrome-extension://abcdef'],
  ])('allows %s for the entry %s [I-01]', (origin, entry) => {
    expect(isAllowedOrigin(origin, [entry])).toBe(true)
  })

  test.each([
    ['https://appXexample', 'app.example'],
    ['https://app.example.evil.example', 'app.example'],
    ['https://evil-app.example', 'app.example'],
    ['https://evil.example/https://app.example', 'app.example'],
    ['http://app.example', 'app.example'],
    ['http://app.example', 'https://app.example'],
    ['https://app.example:8443', 'app.example'],
    ['https://app.example:8443', 'https://app.example:443'],
    ['https://wild.example', '*.wild.example'],
    ['https://a.b.wild.example', '*.wild.example'],
    ['https://evil/.wild.example', '*.wild.example'],
    ['https://evil:1.wild.example', '*.wild.example'],
    ['https://.wild.example', '*.wild.example'],
    ['https://onewildXexample', '*.wild.example'],
    ['http://localhost:', 'http://localhost:*'],
    ['http://localhost:3000x', 'http://localhost:*'],
    ['http://localhost:30000', 'http://localhost:3000'],
    ['xhttps://app.example', 'https://app.example'],
    ['null', 'null'],
    ['', ''],
  ])('does not allow %s for the entry %s [I-01]', (origin, entry) => {
    expect(isAllowedOrigin(origin, [entry])).toBe(false)
  })

  test.each([
    '*',
    'https://*',
    'https://',
    '*.',
    'https://app.*',
    'https://app.example/path',
    'https://a:b@c.example',
    'https://app.example:',
    '',
  ])('matches nothing for the malformed entry "%s" [I-03]', (entry) => {
    for (const origin of ['https://app.example', 'https://', '', 'null', 'https://c.example', `https://${entry}`]) {
      expect(isAllowedOrigin(origin, [entry])).toBe(false)
    }
  })

  test('without entries allows nothing [I-03]', () => {
    expect(isAllowedOrigin('https://app.example', [])).toBe(false)
  })

  test('needs one matching entry of many', () => {
    expect(isAllowedOrigin('https://b.example', ['a.example', 'b.example'])).toBe(true)
    expect(isAllowedOrigin('https://c.example', ['a.example', 'b.example'])).toBe(false)
  })
})
