import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeUtf8,
  encodeUtf8,
  fromBase64,
  fromBase64Url,
  isHex32,
  randomBytes,
  randomInteger,
  toBase64,
  toBase64Url,
} from './bytes.ts'

describe('base64url (RFC 4648 §5)', () => {
  test.each([
    ['the characters that differ from base64', [0xfb, 0xff, 0xfe, 0xfb, 0xff, 0xfe], '-__--__-'],
    ['a length that base64 pads once', [0xff, 0xff], '__8'],
    ['a length that base64 pads twice', [0xfb], '-w'],
    ['no bytes', [], ''],
  ])('has neither padding nor characters that URLs escape: %s', (_, bytes, text) => {
    expect(toBase64Url(Uint8Array.from(bytes))).toBe(text)
    expect(fromBase64Url(text)).toEqual(Uint8Array.from(bytes))
  })

  test('decodes with padding', () => {
    expect(fromBase64Url('-w==')).toEqual(Uint8Array.of(0xfb))
  })

  test('decodes any bytes unchanged, like base64', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes)
        expect(fromBase64(toBase64(bytes))).toEqual(bytes)
      }),
    )
  })

  test('rejects malformed text', () => {
    expect(() => fromBase64Url('*')).toThrow(DOMException)
  })
})

describe('isHex32', () => {
  const hex = '0123456789abcdef'.repeat(4)

  test('accepts 32 bytes in lower-case hex', () => {
    expect(isHex32(hex)).toBe(true)
  })

  test.each([
    hex.toUpperCase(),
    hex.slice(1),
    `${hex}0`,
    `0x${hex}`,
    ` ${hex}`,
    `${hex}\n`,
    hex.replace('0', 'g'),
    '',
    undefined,
    null,
    7,
    [hex],
  ])('rejects %j', (value) => {
    expect(isHex32(value)).toBe(false)
  })
})

describe('randomness', () => {
  test('randomInteger returns each of the integers below its limit, and no other', () => {
    const drawn = Array.from({ length: 400 }, () => randomInteger(4))
    expect([...new Set(drawn)].toSorted()).toEqual([0, 1, 2, 3])
  })

  test('randomBytes returns different bytes of the given length', () => {
    const drawn = Array.from({ length: 20 }, () => randomBytes(16))
    expect(drawn.every(({ length }) => length === 16)).toBe(true)
    expect(new Set(drawn.map(toBase64)).size).toBe(20)
  })
})

test('decodeUtf8 rejects malformed bytes instead of replacing them', () => {
  expect(decodeUtf8(encodeUtf8('Grüße 🔑'))).toBe('Grüße 🔑')
  expect(() => decodeUtf8(Uint8Array.of(0x61, 0xff))).toThrow(TypeError)
})
