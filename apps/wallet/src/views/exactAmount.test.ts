import { expect, test } from 'vitest'
import { exactAmount, feeAmount } from './exactAmount.ts'

test('exactAmount shows every digit of an amount', () => {
  expect(exactAmount(1_234_567_000_000_000_000_000_001n, 18, 'ETH')).toBe('1,234,567.000000000000000001 ETH')
  expect(exactAmount(0n, 6, 'LUSD')).toBe('0 LUSD')
})

test('feeAmount rounds a fee limit up', () => {
  expect(feeAmount(1n, 18, 'ETH')).toBe('0.000001 ETH')
  expect(feeAmount(42_000_000_000_000n, 18, 'ETH')).toBe('0.000042 ETH')
  expect(feeAmount(42_000_000_000_001n, 18, 'ETH')).toBe('0.000043 ETH')
  expect(feeAmount(7n, 2, 'X')).toBe('0.07 X')
})
