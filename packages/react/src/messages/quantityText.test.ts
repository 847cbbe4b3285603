import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalText, quantityText } from './quantityText.ts'

test.each([
  ['en', 1_999_999n, 6, '1.999'],
  ['en', 1_234_567_891_234n, 6, '1,234,567.891'],
  ['de', 1_234_567_891_234n, 6, '1.234.567,891'],
  ['hi', 1_234_567_891_234n, 6, '12,34,567.891'],
  ['ar-EG', 1_500_000n, 6, '١٫٥٠٠'],
  ['en', 0n, 18, '0.000'],
  ['en', undefined, 18, '0.000'],
  ['en', 1n, 18, '<0.001'],
  ['de', 999n, 6, '<0,001'],
  ['en', 1_000n, 6, '0.001'],
  ['en', 5n, 0, '5.000'],
])('quantityText in %s of %s with %i decimals is %s [R5.7.1]', (locale, units, decimals, text) => {
  expect(quantityText(locale, units, decimals)).toBe(text)
})

test('quantityText is zero only for zero [R5.7.1]', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 77 }), (units, decimals) => {
      expect(quantityText('en', units, decimals)).not.toBe('0.000')
    }),
  )
})

test('decimalText keeps every digit', () => {
  expect(decimalText('en', '115792089237316195423570985008687907853.000000000000000001')).toBe(
    '115,792,089,237,316,195,423,570,985,008,687,907,853.000000000000000001',
  )
  expect(decimalText('de', '-1234.50')).toBe('-1.234,50')
  expect(decimalText('fr', '0.5')).toBe('0,5')
})
