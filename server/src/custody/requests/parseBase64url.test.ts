import { Value } from '@sinclair/typebox/value'
import { describe, expect, test } from 'vitest'
import { base64urlSchema, formatBase64url, parseBase64url } from './parseBase64url.ts'

const bytes = Buffer.from([0xfb, 0xff, 0xfe, 0x01])
const refused = expect.objectContaining({ status: 400, field: 'share' })

describe('base64url', () => {
  test('is parsed and formatted without padding', () => {
    expect(formatBase64url(bytes)).toBe('-__-AQ')
    expect(parseBase64url('-__-AQ', 'share')).toEqual(bytes)
    expect(parseBase64url('-__-AQ', 'share', 4)).toEqual(bytes)
  })

  test.each(['-__-AQ==', '+//+AQ', '-__-AR', '-__-A', '-__-AQ\n', ' -__-AQ'])(
    'is refused in the form %j: bytes have one spelling',
    (text) => {
      expect(() => parseBase64url(text, 'share')).toThrow(refused)
    },
  )

  test.each([3, 5])('is refused if %d bytes are required', (length) => {
    expect(() => parseBase64url('-__-AQ', 'share', length)).toThrow(refused)
  })
})

describe('the schema of base64url', () => {
  test('accepts as many bytes as it allows', () => {
    const schema = base64urlSchema(16)
    expect(Value.Check(schema, formatBase64url(new Uint8Array(16)))).toBe(true)
    expect(Value.Check(schema, formatBase64url(new Uint8Array(17)))).toBe(false)
  })

  test.each(['', 'A=', '+A', ' A', 'A ', 'Ä'])('refuses %j', (text) => {
    expect(Value.Check(base64urlSchema(16), text)).toBe(false)
  })
})
