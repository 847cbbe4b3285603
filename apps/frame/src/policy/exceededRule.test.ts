import { expect, test } from 'vitest'
import { findExceededRule } from './exceededRule.ts'
import type { Policy } from './policy.ts'
import { nothingSpent, unknownSpending, type Spending } from './spending.ts'

const [ether, coin] = ['eip155:1', 'eip155:10']
const friend = 'eip155:1:0xf1'
const createSpending = (units: bigint, asset = ether): Spending => ({
  amounts: [{ asset, units }],
  receivers: [friend],
  isUnknown: false,
})
const daily: Policy = {
  dailyLimit: [
    { asset: ether, units: 100n },
    { asset: coin, units: 7n },
  ],
}
const createSpentDays = (day: number, units: bigint) => ({
  before: { day, spent: [{ asset: ether, units }] },
  today: 5,
})
const fresh = { before: undefined, today: 5 }

test('a payment within the day has no rule, and one unit more names the limit and what was counted [L-01]', () => {
  expect(findExceededRule(daily, [createSpending(40n)], createSpentDays(5, 60n))).toBeUndefined()
  expect(findExceededRule(daily, [createSpending(41n)], createSpentDays(5, 60n))).toEqual({
    rule: 'daily',
    limits: [{ asset: ether, units: 100n }],
    spent: [{ asset: ether, units: 60n }],
  })
})

test('sums of an earlier day do not count, and those of a later day do, because a clock was set back [L-02]', () => {
  expect(findExceededRule(daily, [createSpending(100n)], createSpentDays(4, 60n))).toBeUndefined()
  expect(findExceededRule(daily, [createSpending(101n)], createSpentDays(4, 60n))).toMatchObject({
    spent: [{ units: 0n }],
  })
  expect(findExceededRule(daily, [createSpending(41n)], createSpentDays(6, 60n))).toMatchObject({
    spent: [{ units: 60n }],
  })
})

test('several transactions of one request count together [L-01]', () => {
  expect(findExceededRule(daily, [createSpending(60n), createSpending(40n)], fresh)).toBeUndefined()
  expect(findExceededRule(daily, [createSpending(60n), createSpending(41n)], fresh)).toMatchObject({ rule: 'daily' })
})

test('an asset without a limit is shown with a limit of zero [L-01]', () => {
  expect(findExceededRule(daily, [createSpending(1n, 'eip155:1/0xa1')], fresh)).toEqual({
    rule: 'daily',
    limits: [{ asset: 'eip155:1/0xa1', units: 0n }],
    spent: [{ asset: 'eip155:1/0xa1', units: 0n }],
  })
})

test('the limit of one request names its figures, and a receiver has none [L-01]', () => {
  const single: Policy = { secondDeviceAbove: [{ asset: ether, units: 10n }] }
  expect(findExceededRule(single, [createSpending(10n)], fresh)).toBeUndefined()
  expect(findExceededRule(single, [createSpending(11n)], fresh)).toEqual({
    rule: 'single',
    limits: [{ asset: ether, units: 10n }],
    spent: [],
  })
  expect(findExceededRule({ onlyKnownReceivers: [] }, [createSpending(1n)], fresh)).toEqual({
    rule: 'receiver',
    limits: [],
    spent: [],
  })
  expect(findExceededRule({ onlyKnownReceivers: [friend] }, [createSpending(1n)], fresh)).toBeUndefined()
})

test('unknown effects exceed each rule, and no rule is exceeded without rules [L-01]', () => {
  expect(findExceededRule(daily, [nothingSpent, unknownSpending], fresh)).toMatchObject({ rule: 'unknown' })
  expect(findExceededRule({}, [unknownSpending], undefined)).toBeUndefined()
})

test('without both services a daily limit is named as unknown [L-02]', () => {
  expect(findExceededRule(daily, [createSpending(1n)], undefined)).toEqual({ rule: 'offline', limits: [], spent: [] })
  const single: Policy = { secondDeviceAbove: [{ asset: ether, units: 10n }] }
  expect(findExceededRule(single, [createSpending(1n)], undefined)).toBeUndefined()
})
