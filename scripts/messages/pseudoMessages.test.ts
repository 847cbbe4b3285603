import { expect, test } from 'vitest'
import { pseudoMessages, pseudoText } from './pseudoMessages.mjs'

test('pseudoText accents letters, adds 40 % length and wraps the text in brackets', () => {
  expect(pseudoText('Connect Wallet')).toBe('[Çöññéçt Wállét ~ ~ ~]')
})

test('pseudoText keeps arguments, plural forms and tags', () => {
  expect(pseudoText('Read <terms>the terms</terms>')).toMatch(/^\[Réád <terms>\[thé térms\]<\/terms>/)
  expect(pseudoText('{count, plural, =0 {none} other {{count} open}}')).toMatch(
    /^\[\{count, plural, =0 \{ñöñé\} other \{\{count\} öpéñ\}\}/,
  )
})

test('pseudoMessages keeps the keys', () => {
  expect(pseudoMessages({ modal: { back: 'Back' } })).toEqual({ modal: { back: '[Báçk ~]' } })
})
