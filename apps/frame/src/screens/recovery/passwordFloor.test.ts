import { expect, test } from 'vitest'
import { weaknessOf } from './passwordFloor.ts'

test.each(['', 'a', 'Tr0ub4dor', '🦊🦊🦊🦊🦊🦊🦊🦊🦊'])('%j is too short', (password) => {
  expect(weaknessOf(password, [])).toBe('short')
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
])('%s is guessed first', (password) => {
  expect(weaknessOf(password, ['Ann.Miller@example.org'])).toBe('easy')
})

test.each([
  'four calm herons',
  'vT9#kd02-xLq',
  'Wolkenbruch im Mai',
  'もりのなかのちいさないえ',
  'qwertyuiop are the upper keys',
])('%s will do', (password) => {
  expect(weaknessOf(password, ['ann.miller@example.org'])).toBeUndefined()
})
