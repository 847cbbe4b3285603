import { expect, test } from 'vitest'
import { correctEmail, isEmail } from './correctEmail.ts'

test.each(['ann@mail.example', 'ann.b+c@sub.mail.example', 'ünï@bücher.example', "o'neil@a.co"])(
  '%s may be an address [R5.3.1]',
  (text) => expect(isEmail(text)).toBe(true),
)

test.each([
  '',
  'ann',
  'ann@',
  '@mail.example',
  'ann@mail',
  'ann@mail.',
  'ann@mail.e',
  'ann@@mail.example',
  'a b@mail.example',
  'ann@mail..example',
  'ann@mail.example\nbcc:bob@mail.example',
  '<ann@mail.example>',
  `${'a'.repeat(65)}@mail.example`,
  `ann@${'a'.repeat(251)}.example`,
])('%j is not an address [R5.3.1]', (text) => expect(isEmail(text)).toBe(false))

test.each([
  ['ann@gmial.com', 'ann@gmail.com'],
  ['ann@gmail.co', 'ann@gmail.com'],
  ['ann@gnail.com', 'ann@gmail.com'],
  ['Ann@GMAIL.CON', 'Ann@gmail.com'],
  ['ann@hotmial.com', 'ann@hotmail.com'],
  ['ann@outlok.com', 'ann@outlook.com'],
  ['ann@yaho.com', 'ann@yahoo.com'],
  ['ann@iclould.com', 'ann@icloud.com'],
])('%s is corrected to %s', (typed, meant) => expect(correctEmail(typed)).toBe(meant))

test.each([
  'ann@gmail.com',
  'ann@mail.example',
  'ann@company.com',
  'ann@gma',
  'ann',
  '@gmial.com',
  'ann@ma.com',
  'ann@gmx.ch',
])('%s is not changed', (typed) => expect(correctEmail(typed)).toBeUndefined())
