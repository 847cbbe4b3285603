import { expect, test } from 'vitest'
import { truncateAmount, moneyText } from './amounts.ts'

test('truncateAmount never rounds up and never returns zero', () => {
  expect(truncateAmount('0.039199999999')).toBe('0.039199')
  expect(truncateAmount('12.500000')).toBe('12.5')
  expect(truncateAmount('12')).toBe('12')
  expect(truncateAmount('0.0000000001')).toBe('0.0000000001')
  expect(truncateAmount('0.00')).toBe('0')
})

test('moneyText formats money in its language', () => {
  expect(moneyText('de', { amount: '1250.50', currency: 'EUR' })).toBe('1.250,50\u00a0€')
  expect(moneyText('en', { amount: '10.00', currency: 'nonsense' })).toBe('10.00 nonsense')
})
