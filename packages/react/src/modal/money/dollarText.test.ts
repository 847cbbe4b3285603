import { expect, test } from 'vitest'
import { atMost, dollarEntry, dollarText } from './dollarText.ts'

test.each([
  [21_000_000_000_001n, 18, '0.00002101'],
  [5_000n, 9, '0.000005'],
  [1n, 18, '0.000000000000000001'],
  [0n, 18, '0'],
  [123_456_789n, 6, '123.5'],
  [99_999_999n, 9, '0.1'],
  [7n, 0, '7'],
  [1_234_567n, 2, '12346'],
])('%s of %i decimals is %s at most', (units, decimals, text) => {
  expect(atMost(units, decimals)).toBe(text)
})

test.each([
  [1.239, '1.23'],
  [0, '0'],
  [undefined, ''],
  [1e16, ''],
  // A hundred times this is more than a double holds.
  [1e307, ''],
  [Infinity, ''],
])('%d dollars are %j in a field', (dollars, text) => {
  expect(dollarEntry(dollars)).toBe(text)
})

test('dollarText shows amounts below one cent as less than one cent', () => {
  expect(dollarText('en', 0.001)).toBe('<$0.01')
  expect(dollarText('en', 0)).toBe('$0.00')
  expect(dollarText('de', 1234.5)).toBe('1.234,50\u00a0$')
})
