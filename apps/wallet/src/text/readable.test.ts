import { expect, test } from 'vitest'
import { hostOf, plainName, readablePieces, type TextPiece } from './readable.ts'

const shown = (pieces: readonly TextPiece[]) =>
  pieces.map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.codePoint} ${piece.name}]`)).join('')

test('leaves an ordinary text whole', () => {
  expect(readablePieces('Sign in\n\tto Éxample, שלום 👋')).toEqual([
    { at: 0, kind: 'text', text: 'Sign in\n\tto Éxample, שלום 👋' },
  ])
  expect(readablePieces('')).toEqual([])
})

test('shows characters that turn the writing direction', () => {
  expect(shown(readablePieces('Pay \u202E001\u202C now'))).toBe(
    'Pay [U+202E right-to-left override]001[U+202C end of direction] now',
  )
  expect(shown(readablePieces('\u2067x\u2069'))).toBe('[U+2067 right-to-left isolate]x[U+2069 end of isolate]')
})

test('shows control characters and invisible ones', () => {
  expect(shown(readablePieces('a\u0000b\u0007c'))).toBe('a[U+0000 null]b[U+0007 invisible character]c')
  expect(shown(readablePieces('ad\u200Bmin\u{E0041}'))).toBe(
    'ad[U+200B zero-width space]min[U+E0041 invisible character]',
  )
})

test('takes a lone surrogate for what it is', () => {
  expect(shown(readablePieces('a\uD800'))).toBe('a[U+D800 invisible character]')
})

test('keeps joined emoji together, and shows a joiner anywhere else', () => {
  expect(shown(readablePieces('👩‍👩‍👧 👩🏽‍🚀 ❤️‍🔥'))).toBe('👩‍👩‍👧 👩🏽‍🚀 ❤️‍🔥')
  expect(shown(readablePieces('a\u200Db'))).toBe('a[U+200D zero-width joiner]b')
})

test('takes the line ends of all systems for one thing', () => {
  expect(readablePieces('a\r\nb\rc\nd')).toEqual([{ at: 0, kind: 'text', text: 'a\nb\nc\nd' }])
})

test('makes a name fit for one line', () => {
  expect(plainName('  Swap\n\u202Epaws ', 'An app')).toBe('Swap paws')
  expect(plainName('\u200B\u2060', 'An app')).toBe('An app')
  expect(plainName('x'.repeat(80), 'An app')).toBe(`${'x'.repeat(47)}…`)
})

test('names the host of a web address, and of nothing else', () => {
  expect(hostOf('https://app.example.org:8443/swap?x=1')).toBe('app.example.org:8443')
  expect(hostOf('https://аpple.example')).toBe('xn--pple-43d.example')
  expect(hostOf('javascript:alert(1)')).toBeUndefined()
  expect(hostOf('example.org')).toBeUndefined()
})
