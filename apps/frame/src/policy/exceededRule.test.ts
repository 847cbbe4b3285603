import { expect, test } from 'vitest'
import { findExceededRule } from './exceededRule.ts'
import type { Policy } from './policy.ts'
import { nothingSpent, unknownSpending, type Spending } from './spending.ts'

const [ether, coin] = ['eip155:1', 'eip155:10']
const friend = 'eip155:1:0xf1'
const takes = (units: bigint, asset = ether): Spending => ({
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
const spentOn = (day: number, units: bigint) => ({ before: { day, spent: [{ asset: ether, units }] }, today: 5 })
const fresh = { before: undefined, today: 5 }

test('a payment within the day has no rule, and one unit more names the limit and what was counted [L-01]', () => {
  expect(findExceededRule(daily, [takes(40n)], spentOn(5, 60n))).toBeUndefined()
  expect(findExceededRule(daily, [takes(41n)], spentOn(5, 60n))).toEqual({
    rule: 'daily',
    limits: [{ asset: ether, units: 100n }],
    spent: [{ asset: ether, units: 60n }],
  })
})

test('sums of an earlier day do not count, and those of a later day do, because a clock was set back [L-02]', () => {
  expect(findExceededRule(daily, [takes(100n)], spentOn(4, 60n))).toBeUndefined()
  expect(findExceededRule(daily, [takes(101n)], spentOn(4, 60n))).toMatchObject({ spent: [{ units: 0n }] })
  expect(findExceededRule(daily, [takes(41n)], spentOn(6, 60n))).toMatchObject({ spent: [{ units: 60n }] })
})

test('several transactions of one request count together [L-01]', () => {
  expect(findExceededRule(daily, [takes(60n), takes(40n)], fresh)).toBeUndefined()
  expect(findExceededRule(daily, [takes(60n), takes(41n)], fresh)).toMatchObject({ rule: 'daily' })
})

test('an asset without a limit is shown with a limit of zero [L-01]', () => {
  expect(findExceededRule(daily, [takes(1n, 'eip155:1/0xa1')], fresh)).toEqual({
    rule: 'daily',
    limits: [{ asset: 'eip155:1/0xa1', units: 0n }],
    spent: [{ asset: 'eip155:1/0xa1', units: 0n }],
  })
})

test('the limit of one request names its figures, and a receiver has none [L-01]', () => {
  const single: Policy = { secondDeviceAbove: [{ asset: ether, units: 10n }] }
  expect(findExceededRule(single, [takes(10n)], fresh)).toBeUndefined()
  expect(findExceededRule(single, [takes(11n)], fresh)).toEqual({
    rule: 'single',
    limits: [{ asset: ether, units: 10n }],
    spent: [],
  })
  expect(findExceededRule({ onlyKnownReceivers: [] }, [takes(1n)], fresh)).toEqual({
    rule: 'receiver',
    limits: [],
    spent: [],
  })
  expect(findExceededRule({ onlyKnownReceivers: [friend] }, [takes(1n)], fresh)).toBeUndefined()
})

test('unknown effects exceed each rule, and no rule is exceeded without rules [L-01]', () => {
  expect(findExceededRule(daily, [nothingSpent, unknownSpending], fresh)).toMatchObject({ rule: 'unknown' })
  expect(findExceededRule({}, [unknownSpending], undefined)).toBeUndefined()
})

test('without both services a daily limit is named as unknown [L-02]', () => {
  expect(findExceededRule(daily, [takes(1n)], undefined)).toEqual({ rule: 'offline', limits: [], spent: [] })
  const single: Policy = { secondDeviceAbove: [{ asset: ether, units: 10n }] }
  expect(findExceededRule(single, [takes(1n)], undefined)).toBeUndefined()
})
