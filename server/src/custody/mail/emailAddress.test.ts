import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseEmailAddress } from './emailAddress.ts'

const refusal = expect.objectContaining({ name: 'Problem', status: 400, field: 'email' })

describe('an e-mail address', () => {
  test.each([
    ['ann@example.org', 'ann@example.org'],
    ['Ann.B+news@Example.ORG', 'ann.b+news@example.org'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['李@example.org', '李@example.org'],
    ["o'neil@example.org", "o'neil@example.org"],
  ])('%s is indexed as %s [R5.3.1] [A-19]', (typed, index) => {
    expect(parseEmailAddress(typed).index).toBe(index)
  })

  test('keeps the letters as typed for sending', () => {
    expect(parseEmailAddress('Ann@Example.org').send).toBe('Ann@example.org')
  })

  test.each([
    '',
    'ann',
    '@example.org',
    'ann@',
    'ann@@example.org',
    'ann@example.org@evil.example',
    'ann@example',
    'ann@127.0.0.1',
    'ann@[127.0.0.1]',
    'ann@example.org:25',
    'ann@example.org/',
    'ann b@example.org',
    '.ann@example.org',
    'ann..b@example.org',
    'ann.@example.org',
    '"ann"@example.org',
    'ann@-example.org',
    'ann@exa_mple.org',
    'ann@example.org\r\nBcc: eve@evil.example',
    'ann\n@example.org',
    'ann\u0000@example.org',
    'ann@example.org ',
    // Compatibility forms of letters: two strings would name one mailbox.
    'ﬁne@example.org',
    'ann@ｅxample.org',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(10)}.org`,
  ])('%j is rejected [R5.3.1] [A-19]', (text) => {
    expect(() => parseEmailAddress(text)).toThrow(refusal)
  })

  test('never produces more than one line or one recipient [A-19]', { tags: 'abuse' }, () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.emailAddress()), (text) => {
        try {
          const { send, index } = parseEmailAddress(text)
          expect(send).not.toMatch(/[\s,;<>"\\\p{Cc}]/u)
          expect(parseEmailAddress(send).index).toBe(index)
          expect(parseEmailAddress(index).index).toBe(index)
        } catch (error) {
          expect(error).toEqual(refusal)
        }
      }),
    )
  })
})
