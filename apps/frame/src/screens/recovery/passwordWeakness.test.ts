import { expect, test } from 'vitest'
import { passwordWeaknessOf } from './passwordWeakness.ts'

test.each(['', 'a', 'Tr0ub4dor', '🦊🦊🦊🦊🦊🦊🦊🦊🦊'])('the password %j is too short', (password) => {
  expect(passwordWeaknessOf(password, [])).toBe('short')
})

test.each([
  'password123',
  'P@ssw0rd2024!',
  'aaaaaaaaaaaa',
  'abababababab',
  '1234567890',
  'qwertyuiop12',
  '1q2w3e4r5t6y',
  'abcdefghijkl',
  'iloveyou!!!!',
  'PasswordPassword',
  'letmein.letmein',
  'Passwort!2026',
  'ann.miller99',
  'millerann2026',
])('the password %s is easy to guess', (password) => {
  expect(passwordWeaknessOf(password, ['Ann.Miller@example.org'])).toBe('easy')
})

test.each([
  'four calm herons',
  'vT9#kd02-xLq',
  'Wolkenbruch im Mai',
  'もりのなかのちいさないえ',
  'qwertyuiop are the upper keys',
])('the password %s is accepted', (password) => {
  expect(passwordWeaknessOf(password, ['ann.miller@example.org'])).toBeUndefined()
})
