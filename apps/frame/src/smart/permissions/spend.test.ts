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
const at = (seconds: number, ...calls: readonly Call[]) => ({ calls, fee: 0n, now: seconds * 1_000 })
const pay = (value: bigint): Call => ({ to: other, value, data: '0x' })
const move = (units: bigint, to: `0x${string}` = token): Call => ({
  to,
  value: 0n,
  data: `0xa9059cbb${other.slice(2).toLowerCase().padStart(64, '0')}${units.toString(16).padStart(64, '0')}`,
})
const buy = (value: bigint, to: `0x${string}` = shop): Call => ({ to, value, data: `0xd96a094a${'0'.repeat(64)}` })

test('spend counts per period', () => {
  const first = spend(bounds, {}, at(1_000, pay(6n), move(20n)))
  expect(first).toBeDefined()
  expect(spend(bounds, first ?? {}, at(1_099, pay(5n)))).toBeUndefined()
  expect(spend(bounds, first ?? {}, at(1_099, move(1n)))).toBeUndefined()
  expect(spend(bounds, first ?? {}, at(1_099, pay(4n)))).toBeDefined()
  expect(spend(bounds, first ?? {}, at(1_100, pay(10n), move(20n)))).toBeDefined()
  // Unused amounts expire.
  expect(spend(bounds, first ?? {}, at(1_300, pay(11n)))).toBeUndefined()
})

test('spend counts the value of contract calls in total', () => {
  const first = spend(bounds, {}, at(1_000, buy(30n)))
  expect(first).toBeDefined()
  expect(spend(bounds, first ?? {}, at(9_000, buy(1n)))).toBeUndefined()
  expect(spend(bounds, first ?? {}, at(9_000, buy(0n)))).toBeDefined()
})

test.each<[string, Call]>([
  ['another contract', buy(0n, other)],
  ['another function', { to: shop, value: 0n, data: '0x12345678' }],
  ['another token', move(1n, other)],
  ['coins with a token', { ...move(1n), value: 1n }],
  ['more behind a transfer', { ...move(1n), data: `${move(1n).data}00` }],
  ['an allowance of the token', { ...move(1n), data: `0x095ea7b3${move(1n).data.slice(10)}` }],
  ['a new contract', { value: 0n, data: '0x60' }],
])('spend refuses %s', (_what, call) => {
  expect(spend(bounds, {}, at(1_000, call))).toBeUndefined()
})

test('spend allows nothing before the start, and no fee without a native allowance', () => {
  expect(spend(bounds, {}, at(999, pay(1n)))).toBeUndefined()
  expect(spend({ ...bounds, native: undefined }, {}, { ...at(1_000, move(1n)), fee: 1n })).toBeUndefined()
  expect(spend(bounds, {}, { ...at(1_000, move(1n)), fee: 11n })).toBeUndefined()
  expect(spend(bounds, {}, { ...at(1_000, pay(5n)), fee: 6n })).toBeUndefined()
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
        const next = spend(bounds, used, at(1_050, ...units.map(pay)))
        if (next !== undefined) gone += units.reduce((sum, each) => sum + each, 0n)
        used = next ?? used
      }
      expect(gone).toBeLessThanOrEqual(10n)
    }),
  )
})
