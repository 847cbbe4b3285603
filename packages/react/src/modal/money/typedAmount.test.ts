import fc from 'fast-check'
import { expect, test } from 'vitest'
import { typedAmount } from './typedAmount.ts'

test.each([
  ['1,', ',', '1.'],
  ['1٫', '٫', '1.'],
  ['.', '.', '0.'],
  [',', ',', '0.'],
  [' 12 ', null, '12'],
  ['١٢٫', '٫', '12.'],
  ['१२', '२', '12'],
  ['۱۲', undefined, '12'],
])('%j with %j just typed is %j', (text, typed, amount) => {
  expect(typedAmount(text, typed)).toBe(amount)
})

test.each([
  ['1,000', null],
  ['1,000.5', null],
  ['1.000,', ','],
  ['1,,', ','],
  ['1e5', '5'],
  ['-1', '1'],
  ['abc', 'c'],
])('%j is not interpreted', (text, typed) => {
  expect(typedAmount(text, typed)).toBe(text)
})

test('typedAmount accepts any string, and changes nothing when it is applied again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = typedAmount(text, null)
      expect(typedAmount(once, null)).toBe(once)
    }),
  )
})
