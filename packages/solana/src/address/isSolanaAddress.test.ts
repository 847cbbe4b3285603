import { getAddressDecoder, getBase58Decoder } from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeSolanaAddress } from './decodeSolanaAddress.ts'
import { isSolanaAddress } from './isSolanaAddress.ts'
import { parseSolanaAddress } from './parseSolanaAddress.ts'

const base58 = getBase58Decoder()
const bytesArbitrary = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
/** With zeros at the front, which are digits of their own. */
const paddedBytesArbitrary = (length: number) =>
  fc.tuple(bytesArbitrary(length), fc.nat(length)).map(([all, zeros]) => all.map((byte, at) => (at < zeros ? 0 : byte)))

/** The result of `isSolanaAddress` and of `parseSolanaAddress`, or the error code. */
function parseBothWays(value: string): unknown {
  try {
    return [isSolanaAddress(value), parseSolanaAddress(value)]
  } catch (error) {
    return [isSolanaAddress(value), error]
  }
}
const matchInvalidAddress = (value: string) => [
  false,
  expect.objectContaining({ code: 'address/invalid', context: { namespace: 'solana', value } }),
]

test('isSolanaAddress accepts base58 of 32 bytes, leading zeros included [G-03]', () => {
  fc.assert(
    fc.property(fc.oneof(bytesArbitrary(32), paddedBytesArbitrary(32)), (key) => {
      expect(parseSolanaAddress(base58.decode(key))).toBe(getAddressDecoder().decode(key))
    }),
    { numRuns: 1_000 },
  )
  expect(isSolanaAddress('1'.repeat(32))).toBe(true)
})

test('decodeSolanaAddress returns the encoded bytes', () => {
  fc.assert(
    fc.property(paddedBytesArbitrary(32), (key) => {
      expect(decodeSolanaAddress(base58.decode(key))).toEqual(key)
    }),
  )
})

test('isSolanaAddress refuses any other number of bytes, even with 32 to 44 digits [G-03]', () => {
  const lengths = fc.constantFrom(23, 24, 30, 31, 33, 34, 64)
  fc.assert(
    fc.property(
      lengths.chain((length) => fc.oneof(bytesArbitrary(length), paddedBytesArbitrary(length))),
      (key) => {
        const value = base58.decode(key)
        expect(parseBothWays(value)).toEqual(matchInvalidAddress(value))
      },
    ),
    { numRuns: 1_000 },
  )
  const ones = [0, 31, 33, 44, 45, 10_000].map((count) => '1'.repeat(count))
  // The last has 44 digits that are a number of more than 32 bytes.
  for (const value of [...ones, 'z'.repeat(44)]) expect(parseBothWays(value)).toEqual(matchInvalidAddress(value))
})

test('isSolanaAddress refuses characters outside base58 [G-03]', () => {
  const signs = fc.constantFrom('0', 'O', 'I', 'l', '+', '/', ' ', '\u0410', '\u0661', '\u200b', '\0')
  fc.assert(
    fc.property(bytesArbitrary(32), fc.nat(31), signs, (key, at, sign) => {
      const address = base58.decode(key)
      const value = `${address.slice(0, at)}${sign}${address.slice(at + 1)}`
      expect(parseBothWays(value)).toEqual(matchInvalidAddress(value))
    }),
  )
})

test('parseSolanaAddress refuses any other text with a typed error [G-03]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (value) => {
      expect(parseBothWays(value)).toEqual(matchInvalidAddress(value))
    }),
  )
})
