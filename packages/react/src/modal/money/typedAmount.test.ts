import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseUnits } from '@latchkey/core/internal'
import { fieldText, typedAmount, type AmountEntry } from './typedAmount.ts'

test.each([
  ['1,', ',', '1.'],
  ['1٫', '٫', '1.'],
  ['.', '.', '0.'],
  [',', ',', '0.'],
  [' 12 ', null, '12'],
  ['١٢٫', '٫', '12.'],
  ['१२', '२', '12'],
  ['۱۲', undefined, '12'],
  ['\u200f12\u200e', null, '12'],
  ['\ufeff1\u200b2', null, '12'],
  ['１２', null, '12'],
])('%j with %j just typed is %j', (text, typed, amount) => {
  expect(typedAmount(text, { typed })).toBe(amount)
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
  expect(typedAmount(text, { typed })).toBe(text)
})

test.each<[string, AmountEntry, string]>([
  ['1,55', { typed: '5' }, '1.55'],
  ['1,5', { typed: null }, '1.5'],
  ['1.', { typed: '.' }, '1.'],
  ['1.5', { typed: '5' }, '1.5'],
  [',5', { typed: null }, '0.5'],
  ['1,000', { typed: null, isPasted: true }, '1,000'],
  ['1.000,5', { typed: null }, '1.000,5'],
  ['1,5,', { typed: ',' }, '1,5,'],
  ['1.000', { typed: null, isPasted: true }, '1.\u2060000'],
  ['12.500', { typed: null, isPasted: true }, '12.\u2060500'],
  ['0.125', { typed: null, isPasted: true }, '0.125'],
  ['1.25', { typed: null, isPasted: true }, '1.25'],
  ['1.0005', { typed: null, isPasted: true }, '1.0005'],
  ['1.000', { typed: '0' }, '1.000'],
])('in a field with a decimal comma, %j with %j is %j', (text, entry, amount) => {
  expect(typedAmount(text, { ...entry, separator: ',' })).toBe(amount)
})

test.each([
  ['de', '1.5', '1,5'],
  ['de', '1.', '1,'],
  ['de', '1234', '1234'],
  ['de', '1.000,5', '1.000,5'],
  ['en', '1.5', '1.5'],
  ['ar-EG', '1.5', '1.5'],
])('a field in %s shows %j as %j', (locale, amount, text) => {
  expect(fieldText(locale, amount)).toBe(text)
})

test('a pasted point that may separate thousands is shown as it is, and is no amount', () => {
  const amount = typedAmount('1.000', { separator: ',', isPasted: true })
  expect(parseUnits(amount, 18)).toBeUndefined()
  expect(fieldText('de', amount)).toBe(amount)
})

test('typedAmount accepts any string, and changes nothing when it is applied again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = typedAmount(text)
      expect(typedAmount(once)).toBe(once)
    }),
  )
})
