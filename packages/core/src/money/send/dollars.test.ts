import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDollars, unitsForDollars } from './dollars.ts'

test('the value of an amount is undefined when the price is unknown', () => {
  expect(toDollars(1_500_000n, 6, 2)).toBe(3)
  expect(toDollars(1_500_000n, 6, undefined)).toBeUndefined()
})

test('the amount for dollars is truncated', () => {
  expect(unitsForDollars('10', 6, 2.5)).toBe(4_000_000n)
  expect(unitsForDollars('10', 6, 3)).toBe(3_333_333n)
  expect(unitsForDollars('0.01', 0, 3)).toBe(0n)
  // A price is a double. This one is exact to 18 decimals.
  const price = fc.integer({ min: 1, max: 10 ** 9 }).map((cents) => cents / 100)
  const cents = fc.bigInt({ min: 0n, max: 10n ** 12n })
  fc.assert(
    fc.property(price, cents, fc.integer({ min: 0, max: 18 }), (each, spent, decimals) => {
      const units = unitsForDollars(`${spent / 100n}.${(spent % 100n).toString().padStart(2, '0')}`, decimals, each)
      const exact = BigInt(each.toFixed(18).replace('.', ''))
      const budget = spent * 10n ** 16n * 10n ** BigInt(decimals)
      expect(units * exact <= budget).toBe(true)
      expect((units + 1n) * exact > budget).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('the amount is undefined when the price is zero', () => {
  expect(unitsForDollars('10', 6, 0)).toBe(0n)
})

test('amounts and prices beyond what a number can hold have no value', () => {
  expect(toDollars(10n ** 400n, 0, 1)).toBeUndefined()
  expect(toDollars(1n, 0, Number.POSITIVE_INFINITY)).toBeUndefined()
  expect(unitsForDollars('10', 6, Number.NaN)).toBe(0n)
  expect(unitsForDollars('10', 6, 1e22)).toBe(0n)
})
