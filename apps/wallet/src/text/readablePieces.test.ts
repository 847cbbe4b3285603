import { expect, test } from 'vitest'
import { parseHost, toPlainName, readablePieces, type TextPiece } from './readablePieces.ts'

const formatPieces = (pieces: readonly TextPiece[]) =>
  pieces.map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.codePoint} ${piece.name}]`)).join('')

test('readablePieces returns an ordinary text as one piece', () => {
  expect(readablePieces('Sign in\n\tto Éxample, שלום 👋')).toEqual([
    { at: 0, kind: 'text', text: 'Sign in\n\tto Éxample, שלום 👋' },
  ])
  expect(readablePieces('')).toEqual([])
})

test('readablePieces marks bidirectional control characters', () => {
  expect(formatPieces(readablePieces('Pay \u202E001\u202C now'))).toBe(
    'Pay [U+202E right-to-left override]001[U+202C end of direction] now',
  )
  expect(formatPieces(readablePieces('\u2067x\u2069'))).toBe('[U+2067 right-to-left isolate]x[U+2069 end of isolate]')
})

test('readablePieces marks control and invisible characters', () => {
  expect(formatPieces(readablePieces('a\u0000b\u0007c'))).toBe('a[U+0000 null]b[U+0007 invisible character]c')
  expect(formatPieces(readablePieces('ad\u200Bmin\u{E0041}'))).toBe(
    'ad[U+200B zero-width space]min[U+E0041 invisible character]',
  )
})

test('readablePieces marks a lone surrogate as an invisible character', () => {
  expect(formatPieces(readablePieces('a\uD800'))).toBe('a[U+D800 invisible character]')
})

test('readablePieces keeps joined emoji together and marks other zero-width joiners', () => {
  expect(formatPieces(readablePieces('👩‍👩‍👧 👩🏽‍🚀 ❤️‍🔥'))).toBe('👩‍👩‍👧 👩🏽‍🚀 ❤️‍🔥')
  expect(formatPieces(readablePieces('a\u200Db'))).toBe('a[U+200D zero-width joiner]b')
})

test('readablePieces normalizes CRLF and CR to LF', () => {
  expect(readablePieces('a\r\nb\rc\nd')).toEqual([{ at: 0, kind: 'text', text: 'a\nb\nc\nd' }])
})

test('toPlainName reduces a name to one line of visible characters', () => {
  expect(toPlainName('  Swap\n\u202Epaws ', 'An app')).toBe('Swap paws')
  expect(toPlainName('\u200B\u2060', 'An app')).toBe('An app')
  expect(toPlainName('x'.repeat(80), 'An app')).toBe(`${'x'.repeat(47)}…`)
})

test('parseHost returns the host of a web URL and undefined otherwise', () => {
  expect(parseHost('https://app.example.org:8443/swap?x=1')).toBe('app.example.org:8443')
  expect(parseHost('https://аpple.example')).toBe('xn--pple-43d.example')
  expect(parseHost('javascript:alert(1)')).toBeUndefined()
  expect(parseHost('example.org')).toBeUndefined()
})
