import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Call } from '../../approve/evm/describeCall.ts'
import { spend, type Used } from './spend.ts'
import type { PermissionPolicy } from './permissionRequest.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const shop = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const bounds: PermissionPolicy = {
  native: { most: 10n, period: 100, start: 1_000 },
  tokens: [{ address: token, most: 20n, period: 100, start: 1_000 }],
  calls: [{ address: shop, functions: [{ name: 'buy', selector: '0xd96a094a' }], most: 30n }],
}
const createSpend = (seconds: number, ...calls: readonly Call[]) => ({ calls, fee: 0n, now: seconds * 1_000 })
const createPayment = (value: bigint): Call => ({ to: other, value, data: '0x' })
const createTransferCall = (units: bigint, to: `0x${string}` = token): Call => ({
  to,
  value: 0n,
  data: `0xa9059cbb${other.slice(2).toLowerCase().padStart(64, '0')}${units.toString(16).padStart(64, '0')}`,
})
const createBuyCall = (value: bigint, to: `0x${string}` = shop): Call => ({
  to,
  value,
  data: `0xd96a094a${'0'.repeat(64)}`,
})

test('spend counts per period', () => {
  const first = spend(bounds, {}, createSpend(1_000, createPayment(6n), createTransferCall(20n)))
  expect(first).toBeDefined()
  expect(spend(bounds, first ?? {}, createSpend(1_099, createPayment(5n)))).toBeUndefined()
  expect(spend(bounds, first ?? {}, createSpend(1_099, createTransferCall(1n)))).toBeUndefined()
  expect(spend(bounds, first ?? {}, createSpend(1_099, createPayment(4n)))).toBeDefined()
  expect(spend(bounds, first ?? {}, createSpend(1_100, createPayment(10n), createTransferCall(20n)))).toBeDefined()
  // Unused amounts expire.
  expect(spend(bounds, first ?? {}, createSpend(1_300, createPayment(11n)))).toBeUndefined()
})

test('spend counts the value of contract calls in total', () => {
  const first = spend(bounds, {}, createSpend(1_000, createBuyCall(30n)))
  expect(first).toBeDefined()
  expect(spend(bounds, first ?? {}, createSpend(9_000, createBuyCall(1n)))).toBeUndefined()
  expect(spend(bounds, first ?? {}, createSpend(9_000, createBuyCall(0n)))).toBeDefined()
})

test.each<[string, Call]>([
  ['another contract', createBuyCall(0n, other)],
  ['another function', { to: shop, value: 0n, data: '0x12345678' }],
  ['another token', createTransferCall(1n, other)],
  ['coins with a token', { ...createTransferCall(1n), value: 1n }],
  ['more behind a transfer', { ...createTransferCall(1n), data: `${createTransferCall(1n).data}00` }],
  [
    'an allowance of the token',
    { ...createTransferCall(1n), data: `0x095ea7b3${createTransferCall(1n).data.slice(10)}` },
  ],
  ['a new contract', { value: 0n, data: '0x60' }],
])('spend refuses %s', (_what, call) => {
  expect(spend(bounds, {}, createSpend(1_000, call))).toBeUndefined()
})

test('spend allows nothing before the start, and no fee without a native allowance', () => {
  expect(spend(bounds, {}, createSpend(999, createPayment(1n)))).toBeUndefined()
  expect(
    spend({ ...bounds, native: undefined }, {}, { ...createSpend(1_000, createTransferCall(1n)), fee: 1n }),
  ).toBeUndefined()
  expect(spend(bounds, {}, { ...createSpend(1_000, createTransferCall(1n)), fee: 11n })).toBeUndefined()
  expect(spend(bounds, {}, { ...createSpend(1_000, createPayment(5n)), fee: 6n })).toBeUndefined()
})

test('spend never exceeds the limit of a period in random sequences', () => {
  const batches = fc.array(fc.array(fc.bigInt({ min: 0n, max: 12n }), { minLength: 1, maxLength: 4 }), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(batches, (checked) => {
      let used: Used = {}
      let gone = 0n
      for (const units of checked) {
        const next = spend(bounds, used, createSpend(1_050, ...units.map(createPayment)))
        if (next !== undefined) gone += units.reduce((sum, each) => sum + each, 0n)
        used = next ?? used
      }
      expect(gone).toBeLessThanOrEqual(10n)
    }),
  )
})
