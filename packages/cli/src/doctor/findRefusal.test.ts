import { expect, test } from 'vitest'
import { findRefusal } from './findRefusal.ts'

test('a text of the service has no characters that a terminal obeys', () => {
  const text = '\u001B]0;title\u0007\u001B[2Jgo\r\naway\u202E\u0000'
  const { text: shown } = findRefusal({ service: 'The relay', status: 401, text })
  expect(shown).toBe('The relay refuses the app: 401 go away')
})

test('a long text is cut', () => {
  const { text } = findRefusal({ service: 'The relay', status: 401, text: 'x'.repeat(5_000) })
  expect(text).toBe(`The relay refuses the app: 401 ${'x'.repeat(200)}`)
})
