import { expect, test } from 'vitest'
import type { DelegationContracts } from '../../frameConfig.ts'
import type { PermissionPolicy } from './permissionRequest.ts'
import { policyCaveats } from './policyCaveats.ts'

const addressOf = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`
const enforcers: DelegationContracts['enforcers'] = {
  allowedTargets: addressOf('1'),
  allowedMethods: addressOf('2'),
  exactCalldata: addressOf('3'),
  valueLte: addressOf('4'),
  nativeTokenTransferAmount: addressOf('5'),
  nativeTokenPeriodTransfer: addressOf('6'),
  erc20PeriodTransfer: addressOf('7'),
  timestamp: addressOf('8'),
}
const nothing: PermissionPolicy = { tokens: [], calls: [] }
const allowance = { most: 5n, period: 60, start: 0 }
const enforcersOf = (policy: PermissionPolicy) => policyCaveats(policy, 100, enforcers).map(({ enforcer }) => enforcer)
const { timestamp } = enforcers

test('every policy limits amount, data and time', () => {
  expect(enforcersOf({ ...nothing, native: allowance })).toEqual([
    enforcers.nativeTokenPeriodTransfer,
    enforcers.exactCalldata,
    timestamp,
  ])
  expect(enforcersOf({ ...nothing, tokens: [{ ...allowance, address: addressOf('9') }] })).toEqual([
    enforcers.erc20PeriodTransfer,
    enforcers.valueLte,
    timestamp,
  ])
  const functions = [
    { name: 'buy', selector: '0x01020304' },
    { name: 'sell', selector: '0x05060708' },
  ] as const
  const calls = [{ address: addressOf('9'), functions, most: 1n }]
  expect(policyCaveats({ ...nothing, calls }, 100, enforcers)).toEqual([
    { enforcer: enforcers.allowedTargets, terms: addressOf('9'), args: '0x' },
    { enforcer: enforcers.allowedMethods, terms: '0x0102030405060708', args: '0x' },
    { enforcer: enforcers.nativeTokenTransferAmount, terms: `0x${'0'.repeat(63)}1`, args: '0x' },
    { enforcer: timestamp, terms: `0x${'0'.repeat(62)}64`, args: '0x' },
  ])
})

test('periods never start at zero, which the enforcers refuse', () => {
  const [first] = policyCaveats({ ...nothing, native: allowance }, 100, enforcers)
  expect(BigInt(`0x${first?.terms.slice(-64)}`)).toBe(1n)
})

test('a policy without a permission, or with several, has no caveats', () => {
  expect(() => policyCaveats(nothing, 100, enforcers)).toThrow('exactly one')
  const calls = [{ address: addressOf('9'), functions: [], most: 1n }]
  expect(() => policyCaveats({ ...nothing, native: allowance, calls }, 100, enforcers)).toThrow('exactly one')
})
